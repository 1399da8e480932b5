package dev.millrace.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Fresh memory of the operating system, and its return.
///
/// On Linux it is mapped: nothing is touched before it is used, what is freed leaves the process at once, single pages
/// of an area can be given back while the rest is in use, and large areas come in huge pages, which cost a tenth of
/// the time at their first use (0.045 instead of 0.45 ms per MiB). That takes native calls. Where those were not
/// allowed (`--enable-native-access`) or do not exist, memory comes from Java's arenas. Thread-safe.
final class SystemMemory {
    /// What pages are counted in; a multiple of the page size of every system with these calls.
    static final int GRANULE = 64 << 10;

    static final int HUGE = 2 << 20;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int DONTNEED = 4;
    private static final int HUGEPAGE = 14;

    private static final MethodHandle MMAP;
    private static final MethodHandle MUNMAP;
    private static final MethodHandle MADVISE;

    static {
        boolean can = System.getProperty("os.name").equals("Linux")
                && SystemMemory.class.getModule().isNativeAccessEnabled();
        MMAP = can
                ? call(
                        "mmap",
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG))
                : null;
        MUNMAP = can ? call("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG)) : null;
        MADVISE = can ? call("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT)) : null;
    }

    private SystemMemory() {}

    private static MethodHandle call(String name, FunctionDescriptor shape) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
    }

    /// Whether areas take memory only as they are used, and [#forget] works.
    static boolean isMapped() {
        return MMAP != null;
    }

    /// An area that goes back to the system when `arena` is closed, aligned to [#GRANULE] where it is mapped.
    ///
    /// @param huge in huge pages, for an area that will be used whole
    /// @throws OutOfMemoryError if the system has no more
    static MemorySegment area(long bytes, boolean huge, Arena arena) {
        if (MMAP == null) {
            return arena.allocate(bytes, 64);
        }
        long alignment = huge && bytes >= HUGE ? HUGE : GRANULE;
        long length = (bytes + GRANULE - 1) / GRANULE * GRANULE;
        long mapped = map(length + alignment);
        long start = (mapped + alignment - 1) / alignment * alignment;
        unmap(mapped, start - mapped);
        unmap(start + length, mapped + alignment - start);
        if (alignment == HUGE) {
            advise(start, length, HUGEPAGE);
        }
        return MemorySegment.ofAddress(start).reinterpret(bytes, arena, _ -> unmap(start, length));
    }

    /// Gives the memory of a part of an area back; its contents become zeros at the next use.
    ///
    /// @param start a multiple of [#GRANULE], as is `bytes`
    static void forget(long start, long bytes) {
        advise(start, bytes, DONTNEED);
    }

    private static long map(long bytes) {
        try {
            long start = (long) MMAP.invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
            if (start == -1) {
                throw new OutOfMemoryError("cannot map " + bytes + " bytes");
            }
            return start;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("mmap could not be called", e);
        }
    }

    private static void unmap(long start, long bytes) {
        if (bytes == 0) {
            return;
        }
        try {
            int _ = (int) MUNMAP.invokeExact(start, bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("munmap could not be called", e);
        }
    }

    /// Advice: a kernel that does not know it goes on without.
    private static void advise(long start, long bytes, int advice) {
        try {
            int _ = (int) MADVISE.invokeExact(start, bytes, advice);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise could not be called", e);
        }
    }
}
