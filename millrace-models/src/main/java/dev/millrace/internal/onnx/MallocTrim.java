package dev.millrace.internal.onnx;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Memory that native code has freed, given back to the system.
///
/// glibc keeps what is freed below something that is still in use, for each group of threads apart. Reading a model
/// leaves more than its own size that way, and a closed one nearly all it had; the next model, loaded by another
/// thread, takes its memory elsewhere. Other C libraries have no such call and no such need: there nothing happens.
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

    /// Gives it back now: a seventh of a millisecond for each megabyte.
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

    /// Gives it back soon, while the caller goes on. What is freed before that goes with it.
    public static void soon() {
        if (TRIM != null && WANTED.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("millrace-malloc-trim").start(() -> {
                WANTED.set(false);
                now();
            });
        }
    }
}
