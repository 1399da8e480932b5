package dev.millrace.internal.onnx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import ai.onnxruntime.OrtEnvironment;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The one environment of onnxruntime in this process, without its telemetry.
///
/// From 1.29.0 on onnxruntime collects facts about the machine and sends them to its makers. On the way it matches the
/// process's command line against a regular expression that needs stack for each character: with a class path of some
/// kilobytes the whole process ends, without a word. Only an environment variable turns it off; where the user has not
/// set it, it is set here, before onnxruntime looks.
public final class Environment {
    private static final String SWITCH = "ORT_DISABLE_TELEMETRY";

    private Environment() {}

    /// Made with the first use.
    private static final class Once {
        static final OrtEnvironment MADE = make();

        private static OrtEnvironment make() {
            if (System.getenv(SWITCH) == null) {
                set(SWITCH, "1");
            }
            return OrtEnvironment.getEnvironment();
        }
    }

    public static OrtEnvironment get() {
        return Once.MADE;
    }

    /// Java's own view of the environment stays as it is; native code sees the change.
    private static void set(String name, String value) {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> setenv = linker.defaultLookup().find("setenv");
        if (setenv.isEmpty()) {
            // Windows: there the telemetry is of another kind, and looks at no command line.
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
