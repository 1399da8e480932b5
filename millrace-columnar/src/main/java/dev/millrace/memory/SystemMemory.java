package dev.millrace.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Allocates memory of the operating system, and returns it.
///
/// On Linux it is mapped: pages become resident at first use, freed memory leaves the process at once, single pages of
/// an area can be returned while the rest is in use, and large areas use huge pages, whose first use costs a tenth of
/// the time (0.045 instead of 0.45 ms per MiB). That requires native calls. If those are not allowed
/// (`--enable-native-access`) or do not exist, memory comes from Java's arenas. Thread-safe.
final class SystemMemory {
    /// The unit in which resident pages are counted; a multiple of the page size of every system with these calls.
    static final int GRANULE = 64 << 10;

    static final int HUGE = 2 << 20;
    private static final int READ_WRITE = 3;
    private static final int PRIVATE_ANONYMOUS = 0x22;
    private static final int DONTNEED = 4;
    private static final int HUGEPAGE = 14;

    private static final @Nullable MethodHandle MMAP;
    private static final @Nullable MethodHandle MUNMAP;
    private static final @Nullable MethodHandle MADVISE;

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

    /// Whether areas become resident only as they are used, and [#forget] works.
    static boolean isMapped() {
        return MMAP != null;
    }

    /// An area that is returned to the system when `arena` is closed, aligned to [#GRANULE] if it is mapped.
    ///
    /// @param huge in huge pages, for an area that will be used completely
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

    /// Returns the memory of a part of an area; its contents become zeros at the next use.
    ///
    /// @param start a multiple of [#GRANULE], as is `bytes`
    static void forget(long start, long bytes) {
        advise(start, bytes, DONTNEED);
    }

    private static long map(long bytes) {
        try {
            long start =
                    (long) Objects.requireNonNull(MMAP).invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
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
            int _ = (int) Objects.requireNonNull(MUNMAP).invokeExact(start, bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("munmap could not be called", e);
        }
    }

    /// Advice only: a kernel that does not support it ignores it.
    private static void advise(long start, long bytes, int advice) {
        try {
            int _ = (int) Objects.requireNonNull(MADVISE).invokeExact(start, bytes, advice);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise could not be called", e);
        }
    }
}
