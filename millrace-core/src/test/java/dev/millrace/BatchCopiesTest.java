package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ResourceLimits;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who owns the memory of batches that stay valid.
class BatchCopiesTest {
    private static final long ROWS = 3_000_000;

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void copiesAreCountedByTheJvmAndOutliveTheSessionWhoseLimitTheyWouldNotFit() {
        List<Batch> kept = new ArrayList<>();
        try (Session session = Session.builder()
                        .limits(ResourceLimits.DEFAULT.withMemory(8 << 20))
                        .open();
                CloseableIterator<Batch> batches =
                        session.range(ROWS).iterBatches(BatchOptions.of(100_000).copies())) {
            batches.forEachRemaining(kept::add);
            assertThat(session.allocator().heldBytes()).isZero();
        }
        assertThat(directBytes()).isGreaterThanOrEqualTo(ROWS * Long.BYTES);
        long sum = 0;
        for (Batch batch : kept) {
            for (long id : batch.longs("id").toArray()) {
                sum += id;
            }
        }
        assertThat(sum).isEqualTo(ROWS * (ROWS - 1) / 2);
    }
}
