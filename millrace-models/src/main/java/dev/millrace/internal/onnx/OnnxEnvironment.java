package dev.millrace.internal.onnx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import ai.onnxruntime.OrtEnvironment;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The only onnxruntime environment of this process, with its telemetry disabled.
///
/// From version 1.29.0 on onnxruntime collects data about the machine and sends it to its vendor. In doing so it
/// matches the command line of the process against a regular expression that recurses for each character: with a class
/// path of some kilobytes the stack overflows and the process dies without a message. Only an environment variable
/// turns it off; if the user has not set it, it is set here, before onnxruntime reads it.
public final class OnnxEnvironment {
    private static final String SWITCH = "ORT_DISABLE_TELEMETRY";

    private OnnxEnvironment() {}

    /// Initialised on first use.
    private static final class Once {
        static final @Nullable OrtEnvironment MADE;
        static final @Nullable Throwable FAILURE;

        static {
            OrtEnvironment made = null;
            Throwable failure = null;
            try {
                made = make();
            } catch (LinkageError | RuntimeException e) {
                failure = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            }
            MADE = made;
            FAILURE = failure;
        }

        private static OrtEnvironment make() {
            if (System.getenv(SWITCH) == null) {
                set(SWITCH, "1");
            }
            return OrtEnvironment.getEnvironment();
        }
    }

    /// @throws MillraceException culprit USER, if there is no library for this system
    public static OrtEnvironment get() {
        if (Once.FAILURE != null) {
            throw new MillraceException(
                    Culprit.USER,
                    "ONNX models are run by onnxruntime, whose library for " + System.getProperty("os.name") + " on "
                            + System.getProperty("os.arch") + " does not load (" + Once.FAILURE.getMessage()
                            + "). The artifact com.microsoft.onnxruntime:onnxruntime has those of Linux on x86-64 and"
                            + " arm64, macOS on arm64 and Windows on x86-64; elsewhere -Donnxruntime.native.path names"
                            + " the folder of one that was built there.",
                    Once.FAILURE);
        }
        return Objects.requireNonNull(Once.MADE, "it was made, or why not is known");
    }

    /// Java's view of the environment stays unchanged; native code sees the change.
    private static void set(String name, String value) {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> setenv = linker.defaultLookup().find("setenv");
        if (setenv.isEmpty()) {
            // Windows: its telemetry is implemented differently and does not read the command line.
            return;
        }
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) linker.downcallHandle(setenv.get(), type)
                    .invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
        } catch (Throwable e) {
            throw new IllegalStateException("setenv could not be called", e);
        }
    }
}
