package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Drivers that are killed while their tasks run on workers that go on living.
@Timeout(120)
class LostDriverIT {
    private static final WorkerProcess.Held NOTHING = new WorkerProcess.Held(0, 0);

    private static WorkerProcess first;
    private static WorkerProcess second;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException {
        first = WorkerProcess.start("200m");
        second = WorkerProcess.start("200m");
    }

    @AfterAll
    static void end() {
        first.close();
        second.close();
    }

    @BeforeEach
    void writeToken() throws IOException {
        Files.writeString(folder.resolve("token"), WorkerProcess.TOKEN);
    }

    private static String both() {
        return "millrace://" + first.address() + "," + second.address();
    }

    private Process driver(String kind) throws IOException {
        return new ProcessBuilder(WorkerProcess.java(DoomedDriver.class, both(), folder.toString(), kind))
                .inheritIO()
                .start();
    }

    /// Kills the driver when one of its functions waits; that goes on when the driver is gone.
    private void kill(Process driver) throws Exception {
        CutNetwork.await(folder.resolve("waits"));
        driver.destroyForcibly();
        assertThat(driver.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /// Waits until a split is written and visible.
    private static void awaitFile(Path out) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!hasFile(out)) {
            assertThat(System.nanoTime()).as("no file within 60 s").isLessThan(deadline);
            WorkerProcess.pause();
        }
    }

    private static boolean hasFile(Path out) throws IOException {
        if (!Files.exists(out)) {
            return false;
        }
        try (Stream<Path> files = Files.list(out)) {
            return files.anyMatch(file -> file.toString().endsWith(".arrow"));
        }
    }

    @Test
    void aCheckpointedJobIsResumedByAnotherDriverOnAnotherCluster() throws Exception {
        Process driver = driver("write");
        awaitFile(folder.resolve("out"));
        kill(driver);
        assertThat(first.awaitSessions(0)).isEqualTo(NOTHING);
        assertThat(second.awaitSessions(0)).isEqualTo(NOTHING);
        assertThat(folder.resolve("out/_SUCCESS")).doesNotExist();
        Files.createFile(folder.resolve("go"));
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(100 << 20))
                .cluster("local:1")
                .open()) {
            DoomedDriver.write(session, folder);
            Row all = session.readArrow(folder.resolve("out").toString())
                    .aggregate(Aggregates.count(), Aggregates.sum("id"), Aggregates.countDistinct("id"))
                    .takeAll()
                    .getFirst();
            assertThat(List.of(all.value(0), all.value(1), all.value(2)))
                    .isEqualTo(List.of(
                            DoomedDriver.ROWS, DoomedDriver.ROWS * (DoomedDriver.ROWS - 1) / 2, DoomedDriver.ROWS));
        }
    }

    @Test
    void aDriverThatIsKilledDoesNotDisturbAnotherOnTheSameWorkers() throws Exception {
        Path others = Files.createDirectory(folder.resolve("others"));
        String otherFolder = others.toString();
        try (Session session = DoomedDriver.open(both(), folder)) {
            Process doomed = driver("sort");
            CutNetwork.await(folder.resolve("waits"));
            assertThat(first.held().bytes() + second.held().bytes())
                    .as("shards of the driver that is killed")
                    .isPositive();
            Thread killer = Thread.ofPlatform().start(() -> {
                try {
                    CutNetwork.await(others.resolve("half"));
                    kill(doomed);
                    first.awaitSessions(1);
                    second.awaitSessions(1);
                    Files.createFile(others.resolve("killed"));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(first.held().sessions()).isEqualTo(2);
            List<Row> rows = session.range(DoomedDriver.ROWS, DoomedDriver.BLOCKS)
                    .mapBatches(batch -> {
                        if (batch.longs("id").get(0) >= DoomedDriver.ROWS / 2) {
                            Path.of(otherFolder, "half").toFile().createNewFile();
                            CutNetwork.await(Path.of(otherFolder, "killed"));
                        }
                        return batch.mapLongs("id", id -> id % 100);
                    })
                    .groupBy("id")
                    .aggregate(Aggregates.count())
                    .takeAll();
            killer.join();
            assertThat(rows)
                    .hasSize(100)
                    .allSatisfy(row -> assertThat(row.getLong("count()")).isEqualTo(DoomedDriver.ROWS / 100));
        }
        assertThat(first.awaitSessions(0)).isEqualTo(NOTHING);
        assertThat(second.awaitSessions(0)).isEqualTo(NOTHING);
    }
}
