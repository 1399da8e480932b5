package dev.millrace.internal.cluster;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.start.LocalStarter;
import dev.millrace.internal.recovery.RecoveringRuntime;
import dev.millrace.relation.Join;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Shuffle data in a folder that all workers see.
@Timeout(120)
class ShuffleStorageIT {
    private static final long ROWS = 600_000;

    @TempDir
    Path folder;

    private final AtomicReference<RecoveringRuntime> recovering = new AtomicReference<>();

    /// A session on three processes whose recoveries can be counted.
    private Session open(String shuffleStorage) {
        ClusterSettings access = ClusterSettings.DEFAULT.withWorkerMemory(256 << 20);
        Settings settings = Settings.DEFAULT.with(access);
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(account -> {
                    ClusterRuntime cluster = new ClusterRuntime(
                            "local:3",
                            new ClusterOptions(
                                    new LocalStarter.Provider().open("local:3", settings),
                                    "the token of the shuffles",
                                    null,
                                    true,
                                    Duration.ofSeconds(60),
                                    shuffleStorage),
                            account,
                            null);
                    recovering.set(new RecoveringRuntime(cluster, account, settings.faults()));
                    return recovering.get();
                })
                .open();
    }

    private Path shared() {
        return folder.resolve("shared");
    }

    private List<Path> files() throws IOException {
        if (!Files.exists(shared())) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(shared())) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /// All numbers below [#ROWS], in another order.
    private static Dataset scrambled(Session session) {
        return session.range(ROWS, 12).mapBatches(batch -> batch.mapLongs("id", id -> id * 7919 % ROWS));
    }

    /// Kills two workers in tasks that read shards. What these tasks make is too small to be lost.
    private long rowsOfGroupsWithDeaths(Session session) throws IOException {
        Path first = Files.createFile(folder.resolve("death-1"));
        Path second = Files.createFile(folder.resolve("death-2"));
        List<String> deaths = List.of(first.toString(), second.toString());
        List<Row> groups = scrambled(session)
                .withColumn("key", col("id").mod(50))
                .groupBy("key")
                .mapGroups(batch -> {
                    LostWorkerIT.dieOnce(deaths);
                    return Batch.of("rows", new long[] {batch.rows()});
                })
                .takeAll();
        assertThat(first).doesNotExist();
        assertThat(second).doesNotExist();
        assertThat(groups).hasSize(50);
        return groups.stream().mapToLong(row -> row.getLong("rows")).sum();
    }

    @Test
    void lostWorkersCostNothingIfShuffleDataIsInASharedFolder() throws Exception {
        try (Session session = open(shared().toString())) {
            assertThat(rowsOfGroupsWithDeaths(session)).isEqualTo(ROWS);
            assertThat(recovering.get().tasksRunAgain()).isZero();
            assertThat(recovering.get().blocksMadeAgain()).isZero();
            awaitOnlyTheLock();
        }
        assertThat(files()).isEmpty();
    }

    /// Files are removed by a thread of their own, when their blocks are released.
    private void awaitOnlyTheLock() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (files().stream().anyMatch(file -> !file.toString().endsWith(".lock")) && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertThat(files()).hasSize(1).allMatch(file -> file.toString().endsWith(".lock"));
    }

    @Test
    void everyKindOfShuffleReadsItsRowsFromTheFolder() throws Exception {
        // A session that died without a word: its lock is free.
        Path dead = shared().resolve("_temporary").resolve("20200101-000000-000-abcdef");
        Files.createDirectories(dead);
        Files.writeString(dead.resolve("worker1-1.arrow"), "left");
        Files.createFile(dead.resolveSibling(dead.getFileName() + ".lock"));
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(256 << 20).withShuffleStorage(shared().toString()))
                .cluster("local:2")
                .open()) {
            assertThat(dead).doesNotExist();
            assertThat(scrambled(session).sort("id").take(3).stream()
                            .map(row -> row.getLong("id"))
                            .toList())
                    .containsExactly(0L, 1L, 2L);
            assertThat(scrambled(session).randomShuffle(7).count()).isEqualTo(ROWS);
            assertThat(scrambled(session).groupBy("id").aggregate(count()).count())
                    .isEqualTo(ROWS);
            Dataset names = session.range(ROWS, 4)
                    .map(row -> row.with("name", "row " + row.getLong("id")))
                    .limit(100_000);
            assertThat(scrambled(session).join(names, Join.inner("id")).count()).isEqualTo(100_000);
        }
        assertThat(files()).isEmpty();
    }

    private static Session at(String storage) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .faults(FaultSettings.DEFAULT.withIoAttempts(1, Duration.ofSeconds(1)))
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(256 << 20).withShuffleStorage(storage))
                .cluster("local:1")
                .open();
    }

    @Test
    void aFolderThatCannotBeMadeIsRefusedAtOnce() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> at(file.resolve("shared").toString()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "'" + file.resolve("shared") + "' cannot be written to: '" + file + "' is a file");
        assertThatThrownBy(() -> at("gs://bucket/tmp")).hasMessageContaining("there is no storage for 'gs://'");
    }

    @Test
    void aFolderThatAWorkerDoesNotSeeIsRefusedBeforeAnythingRuns() throws IOException {
        assertThatThrownBy(() -> at("private://" + shared()))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("Shuffle data cannot be kept in 'private://" + shared() + "': worker-")
                .hasMessageContaining("cannot use it: it does not see what the driver made there")
                .hasMessageContaining("It must be one folder for the driver and all workers");
        assertThat(files()).isEmpty();
    }

    @Test
    void aFullDiskIsToldBeforeAnythingRuns() throws IOException {
        assertThatThrownBy(() -> at("full://" + shared()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("cannot use it: No space left on device");
        assertThat(files()).isEmpty();
    }

    @Test
    void aDiskThatFillsUpEndsTheRunAndLeavesNoFile() throws IOException {
        try (Session session = at("filling://" + shared())) {
            assertThatThrownBy(() -> scrambled(session).sort("id").count())
                    .hasMessageContaining("bytes could not be written to 'filling://" + shared() + "': ")
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("Free space there, or name another folder with"
                            + " ClusterSettings.withShuffleStorage(...)");
        }
        assertThat(files()).isEmpty();
    }
}
