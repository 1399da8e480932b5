package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.RunLimits;
import dev.millrace.settings.Settings;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a run may use of its session.
@Timeout(60)
class RunLimitsTest {
    private static final long BUDGET = 16 << 20;

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .limits(ResourceLimits.DEFAULT.withSlots(4))
            .open();

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AfterEach
    void close() {
        session.close();
    }

    @SuppressWarnings("ThreadPriorityCheck") // makes it likelier that tasks overlap; nothing relies on it
    private Batch counted(Batch batch) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        Thread.yield();
        now.decrementAndGet();
        return batch;
    }

    @Test
    void aRunUsesNoMoreCpusThanItMayAndAnotherHasTheRest() throws Exception {
        Dataset counted = session.range(400, 40).mapBatches(this::counted);
        assertThat(counted.with(RunLimits.DEFAULT.withCpus(1)).count()).isEqualTo(400);
        assertThat(most).hasValue(1);
        most.set(0);
        assertThat(counted.with(RunLimits.DEFAULT.withCpus(2)).count()).isEqualTo(400);
        assertThat(most.get()).isLessThanOrEqualTo(2);

        // All four at once, while a limited run has one of them: three are left for the other.
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch begun = new CountDownLatch(1);
        Dataset waits = session.range(40, 40)
                .with(RunLimits.DEFAULT.withCpus(1))
                .mapBatches(batch -> {
                    begun.countDown();
                    await(three);
                    return batch;
                });
        Dataset others = session.range(3, 3).mapBatches(batch -> {
            three.countDown();
            await(three);
            return batch;
        });
        Thread limited = Thread.ofVirtual().start(waits::takeAll);
        await(begun);
        assertThat(others.takeAll()).hasSize(3);
        limited.join();
    }

    @Test
    void theBudgetOfARunDecidesTheSizeOfItsBlocksAndWhatItHolds() {
        Dataset rows = session.range(4_000_000, 1).mapBatches(batch -> batch);
        Dataset little = rows.with(RunLimits.DEFAULT.withMemory(BUDGET));
        try (MaterializedDataset whole = rows.materialize();
                MaterializedDataset cut = little.materialize()) {
            assertThat(whole.numBlocks()).isEqualTo(1);
            assertThat(cut.numBlocks()).isGreaterThan(10);
        }
        little.forEachBatch(
                BatchOptions.wholeBlocks(), batch -> assertThat(batch.rows()).isPositive());
        assertThat(little.lastRun().orElseThrow().peakMemoryBytes()).isBetween(1L, BUDGET);
    }

    @Test
    void limitsOfRunsMayBeTheSessions() {
        Settings settings = Settings.DEFAULT
                .with(ProgressSettings.OFF)
                .with(BlockSettings.images())
                .with(ResourceLimits.DEFAULT.withSlots(4));
        try (Session each = Session.builder()
                .settings(settings)
                .runs(RunLimits.DEFAULT.withCpus(1))
                .open()) {
            assertThat(each.range(400, 40).mapBatches(this::counted).count()).isEqualTo(400);
            assertThat(most).hasValue(1);
            assertThat(each.resources().total().cpus()).isEqualTo(4);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
