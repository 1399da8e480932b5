package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteSummary;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What stats say of whole runs: what the user read and wrote, while it happens.
class RunStatsTest {
    private static final long SECONDS = 20;

    @TempDir
    private Path folder;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private static OperatorStats only(RunStats run) {
        assertThat(run.operators()).hasSize(1);
        return run.operators().getFirst();
    }

    @Test
    void aWriteCountsRowsFilesAndBytesAndNoCommitRecords() {
        Dataset rows = session.range(2000, 4);
        WriteSummary summary = rows.writeArrow(folder.resolve("out").toString());
        RunStats run = rows.lastRun().orElseThrow();

        assertThat(run.outputRows()).isEqualTo(2000);
        assertThat(run.outputBytes()).isEqualTo(summary.bytes());
        assertThat(run.written()).contains(new FileStats(4, summary.bytes()));
        assertThat(only(run).outputRows()).isEqualTo(2000);
        assertThat(only(run).outputBlocks()).isZero();
        assertThat(rows.stats()).contains("2,000 rows written to 4 files (").doesNotContain("4 rows");
    }

    @Test
    void aWriteBehindOtherOperatorsIsCountedToo() {
        Dataset rows = session.range(1000, 4).sort("id").filter(col("id").lt(500));
        rows.writeArrow(folder.resolve("out").toString());
        RunStats run = rows.lastRun().orElseThrow();

        assertThat(run.outputRows()).isEqualTo(500);
        assertThat(run.written().orElseThrow().files()).isPositive();
        assertThat(run.rowsRead()).isEqualTo(1000);
    }

    @Test
    void aReadCountsItsRowsFilesAndBytes() {
        WriteSummary written =
                session.range(2000, 4).writeArrow(folder.resolve("in").toString());
        Dataset rows = session.readArrow(folder.resolve("in").toString());
        assertThat(rows.takeAll()).hasSize(2000);
        RunStats run = rows.lastRun().orElseThrow();

        assertThat(run.rowsRead()).isEqualTo(2000);
        assertThat(only(run).inputRows()).isEqualTo(2000);
        assertThat(run.read().files()).isEqualTo(4);
        assertThat(run.read().bytes()).isBetween(16_000L, 2 * written.bytes());
        assertThat(run.written()).isEmpty();
        assertThat(rows.stats()).contains("2,000 rows in (4 files of ");
    }

    @Test
    void everyOperatorHasItsTimesRowsAndBytes() {
        Dataset rows =
                session.range(100_000, 4).mapBatches(batch -> batch.mapLongs("id", id -> id + 1), Compute.tasks(2));
        assertThat(rows.iterBatches(1_000).stream().mapToLong(Batch::rows).sum())
                .isEqualTo(100_000);
        RunStats run = rows.lastRun().orElseThrow();

        assertThat(run.elapsedNanos()).isPositive();
        assertThat(run.operators()).hasSizeGreaterThanOrEqualTo(2);
        OperatorStats map = run.operators().get(1);
        assertThat(map.inputRows()).isEqualTo(100_000);
        assertThat(map.outputRows()).isEqualTo(100_000);
        assertThat(map.outputBytes()).isGreaterThanOrEqualTo(800_000);
        assertThat(map.wall().count()).isEqualTo(map.tasksFinished()).isPositive();
        assertThat(map.wall().total()).isPositive();
        assertThat(map.peakBytes()).isBetween(100_000L, run.peakMemoryBytes());
    }

    @Test
    void aFinishedRunHasNothingQueuedAndTasksThatWereNotNeededAreStopped() {
        Dataset all = session.range(1000, 8);
        all.takeAll();
        assertThat(all.lastRun().orElseThrow().operators())
                .allSatisfy(operator -> assertThat(operator.queuedBlocks()).isZero());

        Dataset first = session.range(1_000_000, 8).map(row -> row).limit(5);
        assertThat(first.takeAll()).hasSize(5);
        assertThat(first.stats()).doesNotContain("tasks         0").doesNotContain(" 0 finished");
    }

    @Test
    void operatorsHaveTheLinesOfTheProgram() {
        Dataset rows = session.range(10).filter(col("id").gt(2)).sort("id");
        rows.takeAll();
        assertThat(rows.stats())
                .containsPattern("1\\. Range -> filter\\(id > 2\\) at RunStatsTest:\\d+\n")
                .containsPattern("3\\. sort\\(id\\) at RunStatsTest:\\d+\n");

        Dataset named =
                session.range(10).mapBatches(batch -> batch, Compute.tasks().name("resize"));
        named.writeArrow(folder.resolve("named").toString());
        assertThat(named.stats())
                .containsPattern("1\\. Range -> resize -> write\\(.*\\) at RunStatsTest:\\d+, RunStatsTest:\\d+\n");
    }

    /// Runs until the numbers are as wanted; they must be before the gate opens.
    private void whileItRuns(Dataset rows, Gate gate, Predicate<OperatorStats> wanted) throws Exception {
        CompletableFuture<?> run = CompletableFuture.runAsync(rows::takeAll);
        try {
            assertThat(gate.reached.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (session.running().stream()
                    .noneMatch(stats -> stats.operators().stream().anyMatch(wanted))) {
                assertThat(System.nanoTime())
                        .as("still not seen: " + session.running())
                        .isLessThan(deadline);
                Thread.onSpinWait();
            }
        } finally {
            gate.open.countDown();
        }
        run.get(SECONDS, TimeUnit.SECONDS);
    }

    /// Where a function waits, in the middle of its rows.
    private static final class Gate {
        private static Gate current;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        Gate() {
            current = this;
        }

        static void pass() {
            current.reached.countDown();
            try {
                assertThat(current.open.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static Batch at(Batch batch, long id) {
            if (batch.longs("id").get(0) == id) {
                pass();
            }
            return batch;
        }
    }

    @Test
    void progressMovesInsideATaskBatchByBatch() throws Exception {
        Gate gate = new Gate();
        try (MaterializedDataset block = session.range(100, 1).materialize()) {
            whileItRuns(
                    block.mapBatches(
                            batch -> Gate.at(batch, 60), Compute.tasks().batchSize(10)),
                    gate,
                    operator -> operator.outputRows() == 60 && operator.done().orElse(0) == 0.6);
        }
    }

    @Test
    void progressMovesInsideATaskRowByRow() throws Exception {
        Gate gate = new Gate();
        whileItRuns(
                session.range(100, 1).map(row -> {
                    if (row.getLong("id") == 30) {
                        Gate.pass();
                    }
                    return row;
                }),
                gate,
                operator -> operator.outputRows() == 30
                        && operator.inputRows() == 30
                        && operator.done().orElse(0) == 0.3);
    }
}
