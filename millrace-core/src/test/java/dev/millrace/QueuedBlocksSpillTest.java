package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.SpillSettings;
import dev.millrace.stats.Hint;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class QueuedBlocksSpillTest {
    private static final long LIMIT = 16 << 20;
    private static final int ROW = 1_000_000;

    @TempDir
    static Path folder;

    /// The tasks that made these blocks have ended, so nobody is left to make room.
    @Test
    void blocksThatWaitBetweenOperatorsGoToDiskBeforeATaskIsRefusedMemory() {
        try (Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(4).withMemory(LIMIT))
                .progress(ProgressSettings.OFF)
                .spill(SpillSettings.DEFAULT.withDirectories(folder.toString()))
                .open()) {
            String pad = "x".repeat(ROW);
            Dataset padded = session.range(24, 24)
                    .map(row -> row.with("pad", pad))
                    .mapBatches(
                            batch -> {
                                if (batch.longs("id").get(0) == 0) {
                                    awaitFullQueue(session);
                                    // Fits beside one row, but not beside three.
                                    batch.allocator().allocate(13 << 20);
                                }
                                return batch;
                            },
                            Compute.tasks(1).batchSize(1))
                    .filter(row -> row.getString("pad").length() == ROW);
            long rows = 0;
            try (CloseableIterator<Batch> batches = padded.iterBatches(1)) {
                while (batches.hasNext()) {
                    rows += batches.next().rows();
                }
            }
            assertThat(rows).isEqualTo(24);
            assertThat(padded.lastRun().orElseThrow().hints())
                    .filteredOn(hint -> hint.pattern() == Hint.Pattern.SPILLED_WHILE_STREAMING)
                    .singleElement()
                    .extracting(Hint::sentence)
                    .asString()
                    .contains(" were spilled though nothing in the plan collects its rows; it held ");
            assertThat(session.spillStats().spilledBlocks()).isPositive();
            assertThat(session.spillStats().files()).isZero();
            assertThat(session.allocator().heldBytes()).isZero();
            assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        }
    }

    private static void awaitFullQueue(Session session) throws InterruptedException {
        long held = 0;
        for (int i = 0;
                i < 50 && (held < 3L * ROW || held != session.allocator().heldBytes());
                i++) {
            held = session.allocator().heldBytes();
            Thread.sleep(200);
        }
        assertThat(held).isGreaterThan(3L * ROW);
    }
}
