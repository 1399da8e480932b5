package dev.millrace.internal.cluster;

import static dev.millrace.aggregate.Aggregates.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers that are killed, freeze or end themselves while a dataset runs: the rows are right, none is lost and none is
/// there twice. Functions kill their own worker when a file allows it, so that each loss comes at a known place.
@Timeout(120)
class LostWorkerIT {
    private static final long ROWS = 400_000;

    @TempDir
    Path folder;

    private static Session open() {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(256 << 20))
                .cluster("local:3")
                .open();
    }

    /// Files that stand for one death each.
    private List<String> deaths(int count) throws IOException {
        List<String> files = LongStream.range(0, count)
                .mapToObj(i -> folder.resolve("death-" + i).toString())
                .toList();
        for (String file : files) {
            Files.createFile(Path.of(file));
        }
        return files;
    }

    /// Kills this process if one of the deaths is left.
    static void dieOnce(List<String> deaths) {
        for (String file : deaths) {
            try {
                if (Files.deleteIfExists(Path.of(file))) {
                    new ProcessBuilder(
                                    "kill",
                                    "-9",
                                    String.valueOf(ProcessHandle.current().pid()))
                            .start()
                            .waitFor();
                    Thread.sleep(10_000);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private boolean allDied() throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            return left.noneMatch(file -> file.getFileName().toString().startsWith("death"));
        }
    }

    private static List<Long> ids(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("id")).toList();
    }

    @Test
    void aWorkerKilledInAMapLosesNothing() throws IOException {
        List<String> deaths = deaths(1);
        try (Session session = open()) {
            List<Row> rows = session.range(ROWS, 12)
                    .mapBatches(batch -> {
                        if (batch.longs("id").get(0) > ROWS / 2) {
                            dieOnce(deaths);
                        }
                        return batch.mapLongs("id", id -> id * 2);
                    })
                    .takeAll();
            assertThat(ids(rows))
                    .isEqualTo(LongStream.range(0, ROWS).mapToObj(id -> id * 2).toList());
        }
        assertThat(allDied()).isTrue();
    }

    @Test
    void shardsOfAKilledWorkerAreMadeAgain() throws IOException {
        List<String> deaths = deaths(1);
        try (Session session = open()) {
            List<Row> rows = session.range(ROWS, 12)
                    .mapBatches(batch -> batch.mapLongs("id", id -> id * 7919 % 1_000_003))
                    .sort("id")
                    .mapBatches(batch -> {
                        dieOnce(deaths);
                        return batch;
                    })
                    .takeAll();
            assertThat(ids(rows))
                    .isEqualTo(LongStream.range(0, ROWS)
                            .map(id -> id * 7919 % 1_000_003)
                            .sorted()
                            .boxed()
                            .toList());
        }
        assertThat(allDied()).isTrue();
    }

    @Test
    void twoWorkersKilledOneAfterTheOtherInAGroupBy() throws IOException {
        List<String> deaths = deaths(2);
        try (Session session = open()) {
            List<Row> rows = session.range(ROWS, 12)
                    .mapBatches(batch -> {
                        if (batch.longs("id").get(0) > ROWS / 2) {
                            dieOnce(deaths);
                        }
                        return batch.mapLongs("id", id -> id % 1000);
                    })
                    .groupBy("id")
                    .aggregate(count())
                    .sort("id")
                    .takeAll();
            assertThat(rows)
                    .hasSize(1000)
                    .allSatisfy(row -> assertThat(row.getLong("count()")).isEqualTo(ROWS / 1000));
        }
        assertThat(allDied()).isTrue();
    }

    @Test
    void aWorkerKilledInAnActor() throws IOException {
        List<String> deaths = deaths(1);
        try (Session session = open()) {
            List<Row> rows = session.range(10_000, 10)
                    .mapBatches(
                            () -> batch -> {
                                if (batch.longs("id").get(0) > 5_000) {
                                    dieOnce(deaths);
                                }
                                return batch.mapLongs("id", id -> id + 1);
                            },
                            Compute.actors(2))
                    .takeAll();
            assertThat(ids(rows))
                    .isEqualTo(LongStream.rangeClosed(1, 10_000).boxed().toList());
        }
        assertThat(allDied()).isTrue();
    }

    @Test
    void aWorkerKilledWhileItWritesLeavesWholeFiles() throws IOException {
        List<String> deaths = deaths(1);
        Path out = folder.resolve("out");
        try (Session session = open()) {
            session.range(ROWS, 12)
                    .mapBatches(batch -> {
                        if (batch.longs("id").get(0) > ROWS / 2) {
                            dieOnce(deaths);
                        }
                        return batch;
                    })
                    .writeArrow(out.toString());
            assertThat(ids(session.readArrow(out.toString()).sort("id").takeAll()))
                    .isEqualTo(LongStream.range(0, ROWS).boxed().toList());
        }
        assertThat(allDied()).isTrue();
    }

    @Test
    void aFunctionThatExitsAlwaysEndsTheRunAndIsNamed() {
        try (Session session = open()) {
            assertThatThrownBy(() -> session.range(100, 2)
                            .mapBatches(batch -> {
                                System.exit(7);
                                return batch;
                            })
                            .takeAll())
                    .hasMessageContaining("mapBatches(LostWorkerIT")
                    .hasMessageContaining("3 workers were lost, one after the other, while they ran its task over ids")
                    .hasMessageContaining("Probably the function ends its process: by System.exit()");
        }
    }

    @Test
    void aFrozenWorkerIsLostAfterSomeSeconds() throws IOException {
        List<String> deaths = deaths(1);
        Path frozen = folder.resolve("frozen");
        String frozenFile = frozen.toString();
        try (Session session = open()) {
            List<Row> rows = session.range(ROWS, 12)
                    .mapBatches(batch -> {
                        freezeOnce(deaths, frozenFile);
                        return batch.mapLongs("id", id -> id * 2);
                    })
                    .takeAll();
            assertThat(ids(rows))
                    .isEqualTo(LongStream.range(0, ROWS).mapToObj(id -> id * 2).toList());
        } finally {
            if (Files.exists(frozen)) {
                ProcessHandle.of(Long.parseLong(Files.readString(frozen))).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        assertThat(allDied()).isTrue();
    }

    static void freezeOnce(List<String> deaths, String frozen) {
        try {
            if (Files.deleteIfExists(Path.of(deaths.getFirst()))) {
                String pid = String.valueOf(ProcessHandle.current().pid());
                Files.writeString(Path.of(frozen), pid);
                new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// An exception that keeps something that is not serialisable.
    static final class Odd extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // that is the point
        final Object kept = new Object();

        Odd(String message) {
            super(message);
        }
    }

    @Test
    void anExceptionThatCannotBeSerialisedArrivesWithItsMessage() {
        try (Session session = open()) {
            assertThatThrownBy(() -> session.range(10)
                            .map(row -> {
                                throw new Odd("the value is odd");
                            })
                            .takeAll())
                    .hasMessageContaining("the value is odd");
        }
    }
}
