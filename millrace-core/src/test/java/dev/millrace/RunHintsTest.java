package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.stats.ResidentMemory;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.stats.Hint;
import example.shop.PriceList;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that are slow for reasons that one operator's functions do not show, and what they say of it.
/// `RunHintRulesTest` has what is not worth a hint.
class RunHintsTest {
    private static final long MEMORY = 64L << 30;

    private static Session session() {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(new EmbeddedRuntime(new Resources(4, 1, MEMORY, Map.of())))
                .open();
    }

    /// Hints are drawn from measured times, and a machine with much else to do can hide one: it must show in one of
    /// three runs.
    private static String sentence(Hint.Pattern pattern, Dataset dataset) {
        List<Hint> last = List.of();
        for (int run = 0; run < 3; run++) {
            dataset.takeAll();
            last = dataset.lastRun().orElseThrow().hints();
            for (Hint hint : last) {
                if (hint.pattern() == pattern) {
                    return hint.sentence();
                }
            }
        }
        throw new AssertionError("no hint " + pattern + " in three runs, the last had " + last);
    }

    private static Batch slow(Batch batch, long millis) throws Exception {
        Thread.sleep(millis);
        return batch;
    }

    @Test
    void aClassThatIsBuiltInEachCallIsPointedOutThoughItTellsNobody() {
        try (Session session = session()) {
            Dataset rows = session.range(40, 4)
                    .mapBatches(
                            batch -> {
                                PriceList prices = new PriceList(60);
                                return batch.mapLongs("id", prices::price);
                            },
                            Compute.tasks().batchSize(2).name("price"));
            assertThat(sentence(Hint.Pattern.BUILT_IN_EACH_CALL, rows))
                    .matches("price was building PriceList in \\d+ of \\d+ looks into its calls, about"
                            + " [0-9.]+ m?s or \\d+ % of its time: unless it depends on the rows, use Compute\\.actors"
                            + " with a factory, which builds it once per actor\\.");
        }
    }

    @Test
    void aClassThatIsBuiltOncePerActorIsAsItShouldBe() {
        try (Session session = session()) {
            Dataset rows = session.range(40, 4)
                    .mapBatches(
                            () -> {
                                PriceList prices = new PriceList(60);
                                return (BatchFunction) batch -> slow(batch.mapLongs("id", prices::price), 10);
                            },
                            Compute.actors(1).batchSize(2).name("price"));
            rows.takeAll();
            assertThat(rows.lastRun().orElseThrow().hints())
                    .extracting(Hint::pattern)
                    .doesNotContain(Hint.Pattern.BUILT_IN_EACH_CALL);
        }
    }

    @Test
    void aTaskFarSlowerThanItsSiblingsIsNamedWithItsInput() {
        try (Session session = session()) {
            Dataset rows = session.range(160, 16)
                    .mapBatches(
                            batch -> slow(batch, batch.longs("id").get(0) == 50 ? 1_300 : 1),
                            Compute.tasks().name("parse"));
            assertThat(sentence(Hint.Pattern.SLOW_TASK, rows))
                    .startsWith("One task took 1.3")
                    .contains(" as long as the other 15 (", ": ids 50-59. Look at what is special about it;");
        }
    }

    @Test
    void aKeyWithMostOfTheRowsIsPointedOut() {
        try (Session session = session()) {
            Dataset rows = session.range(20_000, 4)
                    .map(row -> row.with("key", row.getLong("id") < 18_000 ? 0L : row.getLong("id")))
                    .repartition(8, "key")
                    .mapBatches(batch -> slow(batch, batch.rows() > 10_000 ? 1_200 : 0));
            assertThat(sentence(Hint.Pattern.SKEWED_KEYS, rows))
                    .matches("One of 8 parts has 1[89],\\d+ of 20,000 rows and took .*, since few keys have most of the"
                            + " rows: .*");
        }
    }

    @Test
    void modelsOnGpusThatWaitForTheirInputArePointedOut() {
        try (Session session = session()) {
            Dataset rows = session.range(32, 32)
                    .mapBatches(batch -> slow(batch, 120), Compute.tasks(1).name("decode"))
                    .mapBatches(
                            () -> (BatchFunction) batch -> slow(batch, 2),
                            Compute.actors(1).gpus(1).batchSize(64).name("classify"));
            assertThat(sentence(Hint.Pattern.GPU_IDLE, rows))
                    .startsWith("1 actor on GPUs was busy ")
                    .contains("of the time with an empty queue, since ", "decode before it is slower (")
                    .endsWith("Let it run in more tasks at once, or do less for each row there.");
            // The same run: one task at a time, on a session with four CPUs.
            assertThat(rows.lastRun().orElseThrow().hints())
                    .filteredOn(hint -> hint.pattern() == Hint.Pattern.CONCURRENCY_TOO_LOW)
                    .singleElement()
                    .extracting(Hint::sentence)
                    .asString()
                    .startsWith("At most 1 task runs at once, and work waited ")
                    .contains("CPUs were idle: use Compute.tasks(");
        }
    }

    @Test
    void aLimitThatLeavesOneBlockForManyActorsIsPointedOut() {
        try (Session session = session()) {
            Dataset rows = session.range(100, 1)
                    .map(row -> row)
                    .limit(20)
                    .mapBatches(
                            () -> (BatchFunction) batch -> slow(batch, 1_100),
                            Compute.actors(1, 4).name("classify"));
            assertThat(sentence(Hint.Pattern.LIMIT_SERIALISES, rows))
                    .startsWith("The limit before it leaves 1 block of 20 rows for 4 actors (1.1")
                    .endsWith(" of work): use a smaller batchSize, or repartition(4) after the limit.");
        }
    }

    @Test
    void memoryThatWasDeclaredButNeverTakenIsPointedOut() {
        try (Session session = session()) {
            long declared = MEMORY / 10 * 9;
            Dataset rows = session.range(4, 1)
                    .mapBatches(
                            () -> (BatchFunction) batch -> batch,
                            Compute.actors(1).memory(declared).batchSize(4));
            // Tests before this one may have taken much.
            assumeTrue(ResidentMemory.peakBytes() > 0 && declared >= 5 * ResidentMemory.peakBytes());
            assertThat(sentence(Hint.Pattern.MEMORY_DECLARED_TOO_HIGH, rows))
                    .startsWith("It declares ")
                    .contains(" for itself, and the whole process never took more than ");
        }
    }

    @Test
    void manySmallFilesArePointedOutWhereTheyAreWritten(@TempDir Path folder) {
        try (Session session = session()) {
            Dataset rows = session.range(300, 150);
            rows.writeArrow(folder.resolve("many").toString());
            assertThat(rows.lastRun().orElseThrow().hints())
                    .extracting(Hint::sentence)
                    .singleElement()
                    .asString()
                    .matches(
                            "150 files of \\d+ B each were written: every reader pays for each\\. Use repartition\\(n\\)"
                                    + " before the write, or partition by columns with fewer values\\.");
            Dataset few = rows.repartition(2);
            few.writeArrow(folder.resolve("few").toString());
            assertThat(few.lastRun().orElseThrow().hints()).isEmpty();
        }
    }
}
