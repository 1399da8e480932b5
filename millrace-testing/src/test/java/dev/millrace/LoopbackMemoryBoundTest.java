package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.testing.LoopbackRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a runtime with a store of its own, the session's memory is what the driver decodes.
@Timeout(60)
class LoopbackMemoryBoundTest {
    private static final long LIMIT = 32L << 20;

    @Test
    void theDriverStaysWithinTheLimitAlsoWhenItPauses() {
        Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withMemory(LIMIT))
                .progress(ProgressSettings.OFF)
                .runtime(account -> new LoopbackRuntime(account, Resources.cpus(2)))
                .open();
        try (session) {
            Dataset dataset = session.range(600, 12)
                    .mapBatches(
                            MemoryBoundTest.widenedTo(12_500),
                            Compute.defaults().batchSize(16));
            try (CloseableIterator<Batch> paused = dataset.iterBatches(16)) {
                long rows = paused.next().rows();
                assertThat(dataset.drop("x").count()).isEqualTo(600);
                while (paused.hasNext()) {
                    rows += paused.next().rows();
                }
                assertThat(rows).isEqualTo(600);
            }
            assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void aFullMemoryIsNotSaidToLackBlocksToSpillWhereNothingSpills() {
        try (Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withMemory(LIMIT))
                .progress(ProgressSettings.OFF)
                .runtime(account -> new LoopbackRuntime(account, Resources.cpus(2)))
                .open()) {
            assertThatThrownBy(() -> session.allocator().allocate(LIMIT + 1))
                    .hasMessageContaining(
                            "bytes of block memory; session needs 37748736 more. Nothing can be spilled: the"
                                    + " session's runtime has its own store. Raise the memory limit");
        }
    }
}
