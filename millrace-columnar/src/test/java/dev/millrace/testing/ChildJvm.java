package dev.millrace.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Another JVM with the class path of this one, for tests of what ends or fills a process.
public final class ChildJvm {
    private static final long TIMEOUT_SECONDS = 100;

    private ChildJvm() {}

    /// The command that starts a class's `main`.
    ///
    /// @param flags for Java
    public static List<String> command(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    public static Process start(List<String> flags, Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(command(flags, main, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// The lines that it prints until it ends, which it must do by itself, in time and with 0.
    public static List<String> linesOf(Process process) throws InterruptedException {
        CompletableFuture<Process> killed = process.onExit()
                .copy()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((_, late) -> {
                    if (late != null) {
                        process.destroyForcibly();
                    }
                });
        try {
            List<String> lines = process.inputReader().lines().toList();
            int code = process.waitFor();
            if (code != 0) {
                String end = killed.isCompletedExceptionally() ? " was killed after " + TIMEOUT_SECONDS + " s" : "";
                throw new AssertionError(
                        "the other JVM" + end + " ended with " + code + " after it had printed " + lines);
            }
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }
}
