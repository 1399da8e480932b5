package dev.millrace.internal.sessionlog;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.LogSettings;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where entries go: a file, or a logger. One thread at a time.
final class LogOutput implements AutoCloseable {
    static final String LOGGER = "dev.millrace.session";

    private static final String PREFIX = "session-";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);

    private final LogSettings.Mode mode;
    private final @Nullable Path file;
    private final @Nullable Writer writer;
    private boolean failed;

    private LogOutput(LogSettings.Mode mode, @Nullable Path file, @Nullable Writer writer) {
        this.mode = mode;
        this.file = file;
        this.writer = writer;
    }

    static LogOutput open(LogSettings settings) {
        if (settings.mode() == LogSettings.Mode.LOGGER) {
            return new LogOutput(settings.mode(), null, null);
        }
        Path folder = settings.folder() == null
                ? Path.of(System.getProperty("user.home"), ".millrace", "logs")
                : Path.of(settings.folder());
        try {
            Files.createDirectories(folder);
            deleteOldest(folder, settings.keptFiles() - 1);
            Path file = create(folder, settings.mode() == LogSettings.Mode.JSON ? ".jsonl" : ".log");
            return new LogOutput(settings.mode(), file, Files.newBufferedWriter(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw MillraceException.user("The log of the session cannot be written to the folder '" + folder + "': " + e
                    + ". LogSettings.withFolder chooses another.");
        }
    }

    /// A new file, which only its owner can read.
    private static Path create(Path folder, String ending) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<Set<PosixFilePermission>> owner =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        String name = PREFIX + TIME.format(LocalDateTime.now(ZoneOffset.UTC)) + "-"
                + ProcessHandle.current().pid();
        for (int number = 1; ; number++) {
            Path file = folder.resolve(name + (number == 1 ? "" : "-" + number) + ending);
            if (!Files.exists(file)) {
                return posix ? Files.createFile(file, owner) : Files.createFile(file);
            }
        }
    }

    /// The names begin with the time, so the oldest are the first.
    private static void deleteOldest(Path folder, int kept) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> logs = files.filter(
                            file -> file.getFileName().toString().matches(PREFIX + "\\d{8}-.*\\.(log|jsonl)"))
                    .sorted()
                    .toList();
            for (Path old : logs.subList(0, Math.max(0, logs.size() - kept))) {
                Files.deleteIfExists(old);
            }
        }
    }

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    void write(LogEntry entry) {
        if (writer == null) {
            System.getLogger(LOGGER).log(entry.level(), entry.text(false));
            return;
        }
        if (failed) {
            return;
        }
        try {
            writer.write((mode == LogSettings.Mode.JSON ? entry.json() : entry.text(true)) + "\n");
        } catch (IOException e) {
            fail(e);
        }
    }

    /// What was written is in the file.
    void flush() {
        if (writer != null && !failed) {
            try {
                writer.flush();
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    /// A full disk ends the log, not the work.
    private void fail(IOException e) {
        failed = true;
        System.getLogger(LOGGER).log(System.Logger.Level.WARNING, "The log " + file + " ends here: " + e);
    }

    @Override
    public void close() {
        if (writer != null) {
            try (writer) {
                flush();
            } catch (IOException e) {
                fail(e);
            }
        }
    }
}
