package dev.millrace.internal.ray.local;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A Python interpreter that has Ray.
///
/// @param version of Ray
public record RayEnvironment(Path python, String version) {
    /// The version that a private environment gets, and that this module is tested with.
    public static final String VERSION = "2.60.0";

    private static final Duration CHECK = Duration.ofSeconds(60);
    private static final Duration INSTALLATION = Duration.ofMinutes(15);

    /// An interpreter that the user chose.
    ///
    /// @throws MillraceException culprit USER, if Ray is not there
    public static RayEnvironment of(String python) {
        Output output = run(List.of(python, "-c", "import ray; print(ray.__version__)"), CHECK);
        if (output.code() != 0) {
            throw MillraceException.user("The Python '" + python + "' has no Ray (" + output.lastLine()
                    + "). Install it there: " + python + " -m pip install 'ray[default]==" + VERSION + "'.");
        }
        // Not its real path: a virtual environment is known by the path of its link.
        Path path = Path.of(python);
        return new RayEnvironment(path.getNameCount() > 1 ? path.toAbsolutePath() : path, output.lastLine());
    }

    /// The environment of the state folder, which nothing else uses; made on first use from the wheels of Python's
    /// package index, which takes about a minute.
    ///
    /// @param base the interpreter to make it with
    /// @param progress hears a sentence before something that takes long
    public static RayEnvironment inFolder(Path state, String base, Consumer<String> progress) {
        Path home = state.resolve("ray-" + VERSION);
        Path finished = home.resolve("finished");
        Path python = home.resolve("bin").resolve("python");
        if (!Files.exists(finished)) {
            progress.accept("Installing Ray " + VERSION + " into " + home + ", once, about a minute...");
            step(
                    List.of(base, "-m", "venv", home.toString()),
                    "Python's virtual environment " + home + " could not be made");
            step(
                    List.of(
                            python.toString(),
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                            "--prefer-binary",
                            "ray[default]==" + VERSION),
                    "Ray " + VERSION + " could not be installed into " + home);
            try {
                Files.writeString(finished, VERSION);
            } catch (IOException e) {
                throw new MillraceException(Culprit.RESOURCES, finished + " could not be written: " + e + ".", e);
            }
        }
        return new RayEnvironment(python, VERSION);
    }

    private static void step(List<String> command, String failure) {
        Output output = run(command, INSTALLATION);
        if (output.code() != 0) {
            throw MillraceException.user(
                    failure + ":\n" + output.text().strip()
                            + "\nName a Python that has Ray with --python, or install a Python that Ray supports and see that its pip works.");
        }
    }

    private static Output run(List<String> command, Duration limit) {
        try {
            Path log = Files.createTempFile("millrace-python-", ".log");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
                process.getOutputStream().close();
                if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return new Output(
                            -1, "'" + String.join(" ", command) + "' did not end within " + limit.toSeconds() + " s");
                }
                return new Output(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
            } finally {
                Files.delete(log);
            }
        } catch (IOException e) {
            return new Output(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw MillraceException.user("Interrupted while '" + command.getFirst() + "' ran.");
        }
    }

    private record Output(int code, String text) {
        String lastLine() {
            return text.strip().lines().reduce("", (_, line) -> line);
        }
    }
}
