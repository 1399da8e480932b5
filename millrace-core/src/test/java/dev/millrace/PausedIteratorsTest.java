package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Iterators that are open and that nobody reads, beside one that is read: it goes on by itself. Nothing here asks the
/// session for its runs or shows progress, which would wake them.
@Timeout(60)
class PausedIteratorsTest {
    private static final int TRIES = Integer.getInteger("millrace.paused.tries", 3);

    private static Session open(double cpus, long memory) {
        return Session.builder()
                .limits(ResourceLimits.DEFAULT.withCpus(cpus).withMemory(memory))
                .progress(ProgressSettings.OFF)
                .open();
    }

    private static long read(CloseableIterator<Batch> batches) {
        long rows = 0;
        while (batches.hasNext()) {
            rows += batches.next().rows();
        }
        return rows;
    }

    /// Once in two to six tries it stood still, before runs were told of all that changed for them.
    @Test
    void twoPausedIteratorsThatFillMemoryLetAThirdOneBeRead() {
        for (int i = 0; i < TRIES; i++) {
            try (Session session = open(8, 32L << 20)) {
                Dataset wide = session.range(1000, 20)
                        .mapBatches(
                                MemoryBoundTest.widenedTo(12_500),
                                Compute.defaults().batchSize(16));
                try (CloseableIterator<Batch> one = wide.iterBatches(16);
                        CloseableIterator<Batch> two = wide.iterBatches(16);
                        CloseableIterator<Batch> three = wide.iterBatches(16)) {
                    long first = one.next().rows();
                    long second = two.next().rows();
                    assertThat(read(three)).isEqualTo(1000);
                    assertThat(first + read(one)).isEqualTo(1000);
                    assertThat(second + read(two)).isEqualTo(1000);
                }
                assertThat(session.allocator().heldBytes()).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3", "1, 4", "3, 7"})
    void pausedIteratorsOverActorPoolsLeaveTheCpusToTheOneThatIsRead(int cpus, int iterators) {
        try (Session session = open(cpus, 64L << 20)) {
            Dataset mapped = session.range(2000, 40)
                    .mapBatches(() -> batch -> batch, Compute.actors(1).batchSize(10));
            List<CloseableIterator<Batch>> open = new ArrayList<>();
            try {
                long[] rows = new long[iterators];
                for (int i = 0; i < iterators; i++) {
                    open.add(mapped.iterBatches(10));
                    rows[i] = open.get(i).next().rows();
                }
                for (int i = iterators - 1; i >= 0; i--) {
                    assertThat(rows[i] + read(open.get(i))).isEqualTo(2000);
                }
            } finally {
                open.forEach(CloseableIterator::close);
            }
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }

    /// 2 MB for each, as 64 in 128 MB: what waits for them goes to disk, and blocks are the smaller the more runs are
    /// open.
    @Test
    void manyPausedIteratorsHoldLittleEnoughToGoOn() {
        int paused = 24;
        try (Session session = open(2, (2L << 20) * paused)) {
            Dataset wide = session.range(1000, 20)
                    .mapBatches(
                            MemoryBoundTest.widenedTo(2_500), Compute.defaults().batchSize(16));
            List<CloseableIterator<Batch>> open = new ArrayList<>();
            try {
                long first = 0;
                for (int i = 0; i < paused; i++) {
                    open.add(wide.iterBatches(16));
                    first = open.get(i).next().rows();
                }
                try (CloseableIterator<Batch> all = wide.iterBatches(16)) {
                    assertThat(read(all)).isEqualTo(1000);
                }
                assertThat(first + read(open.getLast())).isEqualTo(1000);
                assertThat(16 + read(open.getFirst())).isEqualTo(1000);
            } finally {
                open.forEach(CloseableIterator::close);
            }
            assertThat(session.allocator().heldBytes()).isZero();
            assertThat(session.allocator().peakBytes())
                    .isLessThanOrEqualTo(session.allocator().limit());
        }
    }
}
