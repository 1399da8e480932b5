package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.relation.Join;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.IterationSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.RunLimits;
import dev.millrace.settings.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Settings of one dataset instead of its session's.
interface SettingsBehaviour extends Behaviour {
    BlockSettings SMALL = BlockSettings.DEFAULT.withTargetBytes(80_000);

    private static int blocks(Dataset dataset) {
        try (MaterializedDataset kept = dataset.materialize()) {
            return kept.numBlocks();
        }
    }

    @Test
    default void blocksAreOfTheDatasetsSizeBeforeAndBehindTheCall() {
        Dataset rows = session().range(100_000, 1);
        assertThat(blocks(rows)).isEqualTo(1);
        assertThat(blocks(rows.with(SMALL))).isEqualTo(10);
        assertThat(blocks(rows.with(SMALL).map(row -> row.with("x", 1L)))).isGreaterThan(10);
        assertThat(blocks(rows.with(SMALL).with(BlockSettings.DEFAULT))).isEqualTo(1);
        assertThat(blocks(rows)).isEqualTo(1);
    }

    @Test
    default void faultsAreToleratedByTheDatasetThatSaysSo() {
        Dataset fails = session().range(100, 10).map(row -> {
            if (row.getLong("id") == 55) {
                throw new IllegalStateException("boom");
            }
            return row;
        });
        FaultSettings faults = fails.settings().faults();
        assertThat(fails.with(faults.withMaxErroredBlocks(1)).takeAll()).hasSize(90);
        assertError(fails::takeAll).hasMessageContaining("boom");
    }

    @Test
    default void iterationsStartFromTheDatasetsDefaults() {
        Dataset rows = session().range(1000, 3).with(new IterationSettings(400, 0), ProgressSettings.OFF);
        try (CloseableIterator<Batch> batches = rows.iterBatches()) {
            assertThat(batches.stream().map(Batch::rows)).containsExactly(400L, 400L, 200L);
        }
    }

    @Test
    default void settingsPassOnAndOfSeveralDatasetsThoseOfTheFirstCount() {
        Settings session = session().settings();
        Dataset small = session().range(10).with(SMALL);
        Dataset other = session().range(10).with(BlockSettings.images(), ProgressSettings.OFF);
        List<Dataset> made = List.of(
                small.union(other),
                small.zip(other),
                small.join(other.rename(Map.of("id", "other")), Join.inner().on("id", "other")),
                small.sort("id").named("sorted").limit(3),
                small.groupBy("id").aggregate(Aggregates.count()),
                small.mix(other));
        for (Dataset dataset : made) {
            assertThat(dataset.settings()).isEqualTo(session.with(SMALL));
        }
        assertThat(small.union(other).with(other.settings().blocks()).settings().blocks())
                .isEqualTo(BlockSettings.images());
        try (MaterializedDataset kept = small.materialize()) {
            assertThat(kept.settings().blocks()).isEqualTo(SMALL);
            assertThat(kept.with(RunLimits.DEFAULT.withCpus(1)).count()).isEqualTo(10);
        }
        assertThat(session().range(1).settings()).isEqualTo(session);
    }

    @Test
    default void explainShowsWhatIsNotTheSessions() {
        Dataset rows = session().range(10);
        assertThat(rows.explain()).doesNotContain("Settings of its own").doesNotContain("64 MiB for blocks");
        assertThat(rows.with(SMALL, RunLimits.DEFAULT.withMemory(64 << 20)).explain())
                .contains("of 64 MiB for blocks.")
                .endsWith("Settings of its own: " + SMALL + ", RunLimits[cpus=null, gpus=null, memory=67108864].\n");
    }

    @Test
    default void aRunThatNeedsMoreThanItMayUseIsAnError() {
        Dataset rows =
                session().range(10).mapBatches(batch -> batch, Compute.tasks().cpus(2));
        assertThat(rows.with(RunLimits.DEFAULT.withCpus(2)).takeAll()).hasSize(10);
        assertError(() -> rows.with(RunLimits.DEFAULT.withCpus(1)).takeAll())
                .hasMessageContaining(
                        "needs 2 CPUs, 1 are there. Ask for less, or raise the limits of the run" + " (RunLimits).");
        assertError(() -> RunLimits.DEFAULT.withMemory(0))
                .hasMessage("Limits of a run must be positive, not cpus null, gpus null, memory 0.");
    }
}
