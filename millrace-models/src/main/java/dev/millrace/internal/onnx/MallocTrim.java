package dev.millrace.internal.onnx;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Returns memory that native code has freed to the system.
///
/// glibc keeps freed memory below a block that is still in use, separately for each arena. Loading a model leaves more
/// than its own size that way, and closing it nearly all of its memory; the next model, loaded by another thread, uses
/// another arena. Other C libraries have no such call and do not need it: there nothing happens.
public final class MallocTrim {
    private static final @Nullable MethodHandle TRIM = trimCall();
    private static final AtomicBoolean WANTED = new AtomicBoolean();

    private MallocTrim() {}

    private static @Nullable MethodHandle trimCall() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("malloc_trim")
                .map(found -> linker.downcallHandle(found, FunctionDescriptor.of(JAVA_INT, JAVA_LONG)))
                .orElse(null);
    }

    /// Returns it now, which takes about a seventh of a millisecond per megabyte.
    public static void now() {
        if (TRIM == null) {
            return;
        }
        try {
            int _ = (int) TRIM.invokeExact(0L);
        } catch (Throwable e) {
            throw new IllegalStateException("malloc_trim could not be called", e);
        }
    }

    /// Returns it soon, in the background. Memory that is freed before then is included.
    public static void soon() {
        if (TRIM != null && WANTED.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("millrace-malloc-trim").start(() -> {
                WANTED.set(false);
                now();
            });
        }
    }
}
