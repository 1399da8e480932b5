package dev.millrace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Runs Python scripts in an environment that `tools/python-env` makes. A start costs about half a second: one run per
/// suite, not per case.
public final class Python {
    private static final Map<String, Python> ENVIRONMENTS = new ConcurrentHashMap<>();
    private static final long TIMEOUT_SECONDS = 300;

    private final Path interpreter;

    private Python(Path interpreter) {
        this.interpreter = interpreter;
    }

    /// The environment with the packages of `tools/python/NAME.txt`; "test" has pyarrow and numpy.
    public static Python environment(String name) {
        return ENVIRONMENTS.computeIfAbsent(name, _ -> {
            String root = System.getProperty("millrace.root");
            if (root == null) {
                throw new IllegalStateException(
                        "Set -Dmillrace.root to the repository's root: tools/python-env is there.");
            }
            // It may have to install the packages first.
            String path = execute(List.of(Path.of(root, "tools", "python-env").toString(), name), 600);
            return new Python(Path.of(path.strip()));
        });
    }

    public Path interpreter() {
        return interpreter;
    }

    /// Runs a script that lies beside `owner` as a resource; returns what it printed.
    ///
    /// @throws AssertionError with all that it said on stderr, when it fails or takes more than five minutes
    public String run(Class<?> owner, String script, String... arguments) {
        try (InputStream in = owner.getResourceAsStream(script)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no resource " + script + " beside " + owner);
            }
            Path file = Files.createTempFile("millrace-", "-" + script);
            try {
                Files.write(file, in.readAllBytes());
                List<String> command = new ArrayList<>(List.of(interpreter.toString(), file.toString()));
                command.addAll(List.of(arguments));
                return execute(command, TIMEOUT_SECONDS);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String execute(List<String> command, long timeoutSeconds) {
        Path out = null;
        Path err = null;
        try {
            out = Files.createTempFile("millrace-", ".out");
            err = Files.createTempFile("millrace-", ".err");
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        command + " took more than " + timeoutSeconds + " s:\n" + Files.readString(err));
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(
                        command + " ended with " + process.exitValue() + ":\n" + Files.readString(err));
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while running " + command, e);
        } finally {
            deleteQuietly(out);
            deleteQuietly(err);
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // A temporary file that stays does no harm.
        }
    }
}
