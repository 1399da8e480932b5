package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.sum;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.recovery.RecoveringRuntime;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.relation.Join;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ExecutionSettings;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Each kind of dataset while a third of all blocks is lost from time to time, beside lost workers and killed actors:
/// the rows are those of an undisturbed run.
@Timeout(120)
class LostBlocksTest {
    private static final int SEEDS = 4;
    private static final long ROWS = 20_000;

    @TempDir
    Path folder;

    private FaultyRuntime faulty;
    private RecoveringRuntime recovering;

    private Session open(Faults faults, boolean ordered) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(BlockSettings.DEFAULT.withMinBytes(1 << 10).withTargetBytes(4 << 10))
                .execution(ExecutionSettings.DEFAULT.withPreserveOrder(ordered))
                .runtime(account -> {
                    faulty = new FaultyRuntime(new EmbeddedRuntime(Resources.cpus(3)), faults);
                    recovering = new RecoveringRuntime(faulty, account, FaultSettings.DEFAULT);
                    return recovering;
                })
                .open();
    }

    private static List<String> texts(List<Row> rows) {
        return rows.stream().map(row -> row.asMap().toString()).toList();
    }

    /// Compares the rows of an undisturbed run with those of some disturbed ones; at least one must have made blocks
    /// again.
    private void same(Function<Session, List<String>> job) {
        List<String> expected;
        try (Session calm = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(3))
                .blocks(BlockSettings.DEFAULT.withMinBytes(1 << 10).withTargetBytes(4 << 10))
                .open()) {
            expected = job.apply(calm);
        }
        long madeAgain = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Faults faults = Faults.NONE.withSeed(seed).withLostNodes(6).withDelays(100);
            if (seed % 2 == 1) {
                faults = faults.withLostTasks(9).withKilledActors(11);
            }
            try (Session session = open(faults, true)) {
                assertThat(job.apply(session)).as("seed " + seed).isEqualTo(expected);
                assertThat(faulty.lostNodes()).as("lost nodes, seed " + seed).isPositive();
                madeAgain += recovering.tasksRunAgain();
            }
        }
        assertThat(madeAgain).as("tasks run again").isPositive();
    }

    private static Dataset numbers(Session session) {
        return session.range(ROWS, 40).map(row -> row.with("key", row.getLong("id") * 7919 % 101));
    }

    @Test
    void sort() {
        same(session -> texts(numbers(session).sort("key", "id").takeAll()));
    }

    @Test
    void groupBy() {
        same(session -> texts(numbers(session)
                .groupBy("key")
                .aggregate(count(), sum("id"))
                .sort("key")
                .takeAll()));
    }

    @Test
    void join() {
        same(session -> texts(numbers(session)
                .join(
                        numbers(session).map(row -> Row.of("id", row.get("id"), "twice", row.getLong("id") * 2)),
                        Join.inner("id"))
                .sort("id")
                .takeAll()));
    }

    @Test
    void randomShuffle() {
        same(session -> texts(numbers(session).randomShuffle(42).takeAll()));
    }

    @Test
    void repartition() {
        same(session -> texts(numbers(session).repartition(7).takeAll()));
    }

    @Test
    void aMaterialisedDatasetIsReadTwiceAndSortedThoughItsRunIsOver() {
        same(session -> {
            try (MaterializedDataset held = numbers(session).materialize()) {
                if (faulty != null) {
                    faulty.loseNode();
                }
                List<String> twice = new ArrayList<>(texts(held.takeAll()));
                if (faulty != null) {
                    faulty.loseNode();
                    faulty.loseNode();
                }
                twice.addAll(texts(held.sort("key", "id").takeAll()));
                return twice;
            }
        });
    }

    /// A function with state.
    public static final class Halved implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            return batch.mapLongs("id", id -> id / 2);
        }
    }

    @Test
    void actors() {
        same(session -> texts(numbers(session)
                .mapBatches(Halved::new, Compute.actors(1, 3).batchSize(100))
                .sort("id", "key")
                .takeAll()));
    }

    @Test
    void materialisedRowsOfActors() {
        same(session -> {
            try (MaterializedDataset held = numbers(session)
                    .mapBatches(Halved::new, Compute.actors(2).batchSize(100))
                    .materialize()) {
                if (faulty != null) {
                    faulty.loseNode();
                    faulty.loseNode();
                }
                return texts(held.takeAll());
            }
        });
    }

    @Test
    void writesAndWhatIsReadBack() {
        int[] run = new int[1];
        same(session -> {
            String out = folder.resolve("out" + run[0]++).toString();
            assertThat(numbers(session).sort("key", "id").writeArrow(out).rows())
                    .isEqualTo(ROWS);
            return texts(session.readArrow(out).sort("id").takeAll());
        });
    }

    @Test
    void deadLetters() {
        same(session -> {
            Dataset picky = numbers(session)
                    .map(
                            row -> {
                                if (row.getLong("id") % 1000 == 7) {
                                    throw new IllegalStateException("seven");
                                }
                                return row.copy();
                            },
                            Compute.tasks().onError(ErrorPolicy.deadLetter("sevens")))
                    .sort("id");
            List<String> rows = new ArrayList<>(texts(picky.takeAll()));
            try (MaterializedDataset letters = session.deadLetters("sevens")) {
                rows.add("letters " + letters.count());
            }
            return rows;
        });
    }

    @Test
    void unorderedRowsAreTheSameInAnotherOrder() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (Session session = open(Faults.NONE.withSeed(seed).withLostNodes(5), false)) {
                List<Object> ids = numbers(session).sort("key").filter("key < 50").takeAll().stream()
                        .map(row -> row.get("id"))
                        .sorted()
                        .toList();
                long expected = LongStream.range(0, ROWS)
                        .filter(id -> id * 7919 % 101 < 50)
                        .count();
                assertThat(ids).hasSize((int) expected);
                assertThat(ids).doesNotHaveDuplicates();
            }
        }
    }
}
