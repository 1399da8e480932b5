package dev.millrace.internal.python;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// A virtual environment with given packages, made once for each list of them and kept. Several processes may ask for
/// the same one: a lock lets one make it. Only a finished one has the mark that says so.
final class RequirementsEnvironment {
    /// The folder of the environments, instead of the user's cache folder.
    static final String FOLDER_PROPERTY = "millrace.python.environments";

    private static final String MARK = "millrace-finished";
    private static final int LAST_LINES = 5;
    /// Locks of files are of the whole process.
    private static final Object MAKING = new Object();

    private RequirementsEnvironment() {}

    /// The interpreter of the environment.
    static Path of(String base, List<String> requirements) {
        String name = digest(base, requirements);
        Path all = folder();
        Path folder = all.resolve(name);
        Path python = folder.resolve("bin").resolve("python");
        if (Files.exists(folder.resolve(MARK))) {
            return python;
        }
        synchronized (MAKING) {
            try {
                Files.createDirectories(all);
                try (FileChannel file = FileChannel.open(
                                all.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock _ = file.lock()) {
                    if (!Files.exists(folder.resolve(MARK))) {
                        make(base, requirements, folder, python);
                    }
                }
            } catch (IOException e) {
                throw new MillraceException(
                        Culprit.USER,
                        "The Python environment with " + requirements + " cannot be made in " + folder + ": "
                                + e.getMessage(),
                        e);
            }
        }
        return python;
    }

    private static Path folder() {
        String given = System.getProperty(FOLDER_PROPERTY);
        if (given != null) {
            return Path.of(given);
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path home =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return home.resolve("millrace").resolve("python");
    }

    private static String digest(String base, List<String> requirements) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((base + "\n" + String.join("\n", requirements)).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw MillraceException.internal("every JDK has SHA-256: " + e);
        }
    }

    private static void make(String base, List<String> requirements, Path folder, Path python) throws IOException {
        remove(folder);
        boolean made = false;
        try {
            run(requirements, List.of(base, "-m", "venv", folder.toString()));
            List<String> install = new ArrayList<>(List.of(
                    python.toString(),
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--no-input",
                    "--prefer-binary",
                    "--"));
            install.addAll(requirements);
            run(requirements, install);
            Files.createFile(folder.resolve(MARK));
            made = true;
        } finally {
            if (!made) {
                remove(folder);
            }
        }
    }

    private static void run(List<String> requirements, List<String> command) throws IOException {
        File log = File.createTempFile("millrace-python", ".log");
        Process process = null;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                List<String> lines = Files.readAllLines(log.toPath(), StandardCharsets.ISO_8859_1).stream()
                        .filter(line -> !line.isBlank())
                        .toList();
                throw MillraceException.user("The Python environment with " + requirements
                        + " cannot be made: '" + String.join(" ", command.subList(0, Math.min(4, command.size())))
                        + "' ended with " + process.exitValue() + ": "
                        + String.join(" ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(log.toPath());
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
