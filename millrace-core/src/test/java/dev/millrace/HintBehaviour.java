package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Costs;
import dev.millrace.stats.Hint;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a run says of slow patterns, and that it says nothing of those that are as they should be.
interface HintBehaviour extends Behaviour {
    /// Tells that it is loaded, as a model does.
    class Model implements BatchFunction {
        private static final long serialVersionUID = 1L;
        private final int millis;

        Model(int millis) {
            this.millis = millis;
            Costs.loaded("Model", 3_000_000);
        }

        @Override
        public Batch apply(Batch batch) throws Exception {
            Thread.sleep(millis);
            return batch;
        }
    }

    private static List<Hint> hints(Dataset dataset) {
        dataset.takeAll();
        return dataset.lastRun().orElseThrow().hints();
    }

    /// The hint of this pattern. Hints are drawn from measured times, and a machine with much else to do can hide one:
    /// it must show in one of five runs.
    private static Hint seen(Hint.Pattern pattern, Dataset dataset) {
        List<Hint> last = List.of();
        for (int run = 0; run < 5; run++) {
            last = hints(dataset);
            for (Hint hint : last) {
                if (hint.pattern() == pattern) {
                    return hint;
                }
            }
        }
        throw new AssertionError("no hint " + pattern + " in five runs, the last had " + last);
    }

    @Test
    default void aModelThatIsLoadedForEachBatchIsPointedOut() {
        Dataset slow = session()
                .range(64, 2)
                .mapBatches(
                        batch -> new Model(0).apply(batch),
                        Compute.tasks().batchSize(8).name("classify"));
        Hint hint = seen(Hint.Pattern.LOADED_IN_EACH_CALL, slow);
        assertThat(hint.operator()).contains("classify");
        // Where workers are lost, some calls are made again.
        assertThat(hint.sentence())
                .matches("Model is built for each batch \\((\\d+) times in \\1 calls of .*, \\d+ ms .*\\): use"
                        + " Compute\\.actors with a factory, which builds it once per actor\\.");
        assertThat(slow.stats()).contains("   hint          Model is built for each batch (");
    }

    @Test
    default void aModelPerRowIsPointedOut() {
        Dataset slow = session().range(10, 1).map(row -> {
            Model model = new Model(0);
            return row.with("model", model.getClass().getSimpleName());
        });
        assertThat(seen(Hint.Pattern.LOADED_IN_EACH_CALL, slow).sentence())
                .matches("Model is built for each row \\((\\d+) times in \\1 calls of map\\(.*");
    }

    @Test
    default void aModelInAnActorIsAsItShouldBe() {
        assertThat(hints(session()
                        .range(64, 4)
                        .mapBatches(() -> new Model(1), Compute.actors(2).batchSize(8))))
                .extracting(Hint::pattern)
                .doesNotContain(Hint.Pattern.LOADED_IN_EACH_CALL, Hint.Pattern.SMALL_BATCHES);
    }

    @Test
    default void batchesOfOneRowForAModelArePointedOut() {
        Dataset slow = session()
                .range(60, 2)
                .mapBatches(
                        () -> new Model(2), Compute.actors(1, 4).batchSize(1).name("classify"));
        assertThat(seen(Hint.Pattern.SMALL_BATCHES, slow).sentence())
                .matches(
                        "Batches of 1 row in \\d+ calls of .*use Compute\\.batchSize\\(32\\), so that one call does many"
                                + " rows\\.");
    }

    @Test
    default void oneBusyActorBesideIdleCpusIsPointedOut() {
        Dataset slow = session()
                .range(240, 4)
                .mapBatches(() -> new Model(40), Compute.actors(1).batchSize(8).name("classify"));
        assertThat(seen(Hint.Pattern.POOL_TOO_SMALL, slow).sentence())
                .startsWith("1 actor was busy ")
                .matches(".* while [0-9.]+ CPUs? (was|were) idle: use Compute\\.actors\\(1, [2-9]\\)\\.");
    }
}
