package dev.millrace.benchmarks.python;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.Project;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Interpreters and scripts of the measurements in Python.
final class BenchPython {
    private BenchPython() {}

    /// An interpreter with the packages of `tools/python`.
    static String environment(String name) throws IOException, InterruptedException, BenchFailure {
        String tool = Project.root().resolve("tools/python-env").toString();
        return printed(List.of(tool, name), "the Python environment '" + name + "'")
                .strip();
    }

    /// A script of the jar as a file.
    static Path script(Path folder, String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = BenchPython.class.getResourceAsStream(name)) {
            Files.write(
                    file, Objects.requireNonNull(in, name + " is in the jar").readAllBytes());
        }
        return file;
    }

    /// The folder of the package `millrace`.
    static String packageFolder() throws BenchFailure {
        return Project.root().resolve("millrace-python/src/main/python").toString();
    }

    /// What a program prints.
    ///
    /// @param what for the error if it fails
    static String printed(List<String> command, String what) throws IOException, InterruptedException, BenchFailure {
        ProcessBuilder builder =
                new ProcessBuilder(new ArrayList<>(command)).redirectError(ProcessBuilder.Redirect.INHERIT);
        // As a worker of one CPU has it.
        builder.environment().put("OMP_NUM_THREADS", "1");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailure(what + " ended with " + process.exitValue() + ".");
        }
        return printed;
    }

    /// The number on the last line.
    static double number(List<String> command, String what) throws IOException, InterruptedException, BenchFailure {
        return Double.parseDouble(
                printed(command, what).strip().lines().toList().getLast());
    }
}
