package dev.millrace.internal.sessionlog;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import dev.millrace.settings.LogSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SessionLogTest {
    @TempDir
    private Path folder;

    private Session open(LogSettings settings) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .log(settings.withFolder(folder.toString(), 3))
                .open();
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    @Test
    void aSessionWritesPlansErrorsAndStatisticsOfItsRuns() throws IOException {
        Path file;
        try (Session session = open(LogSettings.TEXT)) {
            file = session.logFile().orElseThrow();
            session.range(100)
                    .filter(col("id").gt(89))
                    .named("tens")
                    .materialize()
                    .close();
            session.range(10)
                    .map(
                            row -> Row.of("x", 1 / (row.getLong("id") - 3)),
                            Compute.tasks().onError(ErrorPolicy.deadLetter("bad")))
                    .named("letters")
                    .takeAll();
            assertThatThrownBy(() -> session.range(5)
                            .filter(row -> {
                                throw new IllegalStateException("never works");
                            })
                            .named("failing")
                            .takeAll())
                    .isInstanceOf(MillraceException.class);
        }
        assertThat(onlyFile()).isEqualTo(file);
        String log = Files.readString(file);
        assertThat(log.lines().findFirst().orElseThrow())
                .matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z INFO    session opened");
        assertThat(log)
                .contains("tens-1: run started\n    -------- Logical plan --------")
                .containsPattern("tens-1: run ended\n    tens-1: finished in .*10 out")
                .containsPattern("WARNING letters-2: dead letters: 1 rows for 'bad', among them .*by zero")
                .containsPattern("WARNING failing-3: run failed: .*never works")
                .containsPattern("failing-3: run ended\n    failing-3: failed after ");
        assertThat(log.lines().reduce((_, last) -> last).orElseThrow()).endsWith("session closed");
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void asJsonEveryLineIsAnObject() throws IOException {
        try (Session session = open(LogSettings.JSON)) {
            session.range(10).named("ten").materialize().close();
        }
        List<Object> events = new ArrayList<>();
        for (String line : Files.readAllLines(onlyFile())) {
            Map<String, Object> entry = (Map<String, Object>) JsonText.parse(line.getBytes(StandardCharsets.UTF_8));
            assertThat(entry).containsOnlyKeys("time", "level", "run", "event", "text");
            assertThat(Instant.parse((String) entry.get("time")))
                    .isBefore(Instant.now().plusSeconds(60));
            events.add(entry.get("event"));
        }
        assertThat(events).containsExactly("session opened", "run started", "run ended", "session closed");
    }

    @Test
    void aLoggerGetsTheSame() {
        List<LogRecord> records = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord message) {
                records.add(message);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(LogOutput.LOGGER);
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try (Session session = open(LogSettings.LOGGER)) {
            assertThat(session.logFile()).isEmpty();
            session.range(10).named("ten").materialize().close();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
            logger.setLevel(null);
        }
        assertThat(records)
                .extracting(LogRecord::getMessage)
                .anyMatch(message -> message.startsWith("ten-1: run started\n"))
                .anyMatch(message -> message.startsWith("ten-1: run ended\n"));
    }

    @Test
    void theOldestFilesGiveWayAndOthersStay() throws IOException {
        Files.writeString(folder.resolve("notes.log"), "mine");
        for (int i = 0; i < 5; i++) {
            open(LogSettings.TEXT).close();
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(4)
                    .contains("notes.log");
        }
    }

    @Test
    void withoutALogNothingIsWritten() throws IOException {
        try (Session session = open(LogSettings.OFF)) {
            assertThat(session.logFile()).isEmpty();
            session.range(10).takeAll();
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aFolderThatCannotBeIsASentenceBeforeAnythingRuns() throws IOException {
        Path file = folder.resolve("file");
        Files.writeString(file, "");
        assertThatThrownBy(() -> Session.builder()
                        .log(LogSettings.TEXT.withFolder(file.resolve("logs").toString(), 3))
                        .open())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The log of the session cannot be written to the folder '" + file);
    }

    @Test
    void passwordsInAddressesAreHidden() {
        LogEntry entry = new LogEntry(
                Instant.EPOCH, System.Logger.Level.INFO, "r-1", "run started", "https://me:secret@host/x\nmore\n");
        assertThat(entry.text(true))
                .isEqualTo("1970-01-01T00:00:00.000Z INFO    r-1: run started\n    https://***@host/x\n    more");
        assertThat(entry.json()).doesNotContain("secret");
    }
}
