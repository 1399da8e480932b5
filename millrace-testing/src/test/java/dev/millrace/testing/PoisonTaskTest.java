package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.settings.ProgressSettings;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// A task or an actor that takes every worker with it ends the run, and the error names it; one that was only beside
/// others that did does not.
class PoisonTaskTest {
    /// A function with state.
    public static final class Same implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            return batch;
        }
    }

    private static void run(Faults faults, Function<Dataset, Dataset> verbs) {
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(new FaultyRuntime(new EmbeddedRuntime(Resources.cpus(2)), faults))
                .open()) {
            assertThat(verbs.apply(session.range(1000, 10)).count()).isEqualTo(1000);
        }
    }

    @Test
    void aReadNamesItsSplitAndTheLine() {
        assertThatThrownBy(() -> run(Faults.NONE.withPoison("Same"), data -> data.mapBatches(new Same())))
                .hasMessageContaining("3 workers were lost, one after the other, while they ran its task over ids ")
                .hasMessageContaining("PoisonTaskTest:")
                .hasMessageContaining("System.exit()");
    }

    @Test
    void aCallOfAnActorIsNamedToo() {
        assertThatThrownBy(() -> run(
                        Faults.NONE.withPoison("Same"),
                        data -> data.mapBatches(Same::new, Compute.actors(1).batchSize(100))))
                .hasMessageContaining(
                        "3 workers were lost, one after the other, while they ran its task over rows 0 to 99 of ids ");
    }

    @Test
    void anActorThatTakesEveryWorkerAtItsStartEndsTheRun() {
        assertThatThrownBy(
                        () -> run(Faults.NONE.withLostStarts(), data -> data.mapBatches(Same::new, Compute.actors(2))))
                .hasMessageContaining("3 workers were lost, one after the other, while an actor started there");
    }

    @Test
    void tasksThatAreLostTwiceEndLikeAnyOther() {
        run(Faults.NONE.withSeed(1).withLostTasks(2), data -> data.mapBatches(new Same()));
    }
}
