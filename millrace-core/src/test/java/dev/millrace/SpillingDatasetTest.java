package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compression.IpcCompression;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.SpillSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Materialised datasets larger than the session's memory.
class SpillingDatasetTest {
    private static final long LIMIT = 32L << 20;
    private static final long ROWS = 3 * LIMIT / 8;

    @TempDir
    Path folder;

    private Session open(SpillSettings spill) {
        return Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(4).withMemory(LIMIT))
                .blocks(BlockSettings.DEFAULT.withTargetBytes(1 << 20))
                .progress(ProgressSettings.OFF)
                .spill(spill.withDirectories(folder.toString()))
                .open();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).toList();
        }
    }

    @ParameterizedTest
    @EnumSource(IpcCompression.class)
    void threeTimesTheMemoryIsMaterialisedAndReadTwice(IpcCompression compression) throws IOException {
        try (Session session = open(SpillSettings.DEFAULT.withCompression(compression))) {
            Allocator memory = session.allocator();
            try (MaterializedDataset kept = session.range(ROWS).materialize()) {
                assertThat(kept.count()).isEqualTo(ROWS);
                assertThat(session.spillStats().spilledBytes()).isGreaterThan(LIMIT);
                for (int time = 0; time < 2; time++) {
                    assertCountsUp(kept);
                }
                assertThat(kept.mapBatches(batch -> batch.mapLongs("id", id -> id * 2))
                                .sum("id"))
                        .isEqualTo(ROWS * (ROWS - 1));
                assertThat(memory.peakBytes()).isLessThanOrEqualTo(LIMIT);
                assertThat(files()).isNotEmpty();
            }
            assertThat(memory.heldBytes()).isZero();
            assertThat(session.spillStats().files()).isZero();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void threeTimesTheMemoryIsLookedUpByAKey() {
        try (Session session = open(SpillSettings.DEFAULT)) {
            RandomAccessDataset access;
            try (MaterializedDataset kept = session.range(ROWS).randomShuffle(1).materialize()) {
                access = kept.randomAccess("id");
            }
            assertThat(access.count()).isEqualTo(ROWS);
            for (long id = 0; id < ROWS; id += ROWS / 7) {
                assertThat(access.get(id).orElseThrow().getLong("id")).isEqualTo(id);
            }
            assertThat(access.get(ROWS)).isEmpty();
            assertThat(access.getMany(List.of(1, ROWS - 1, ROWS / 2))).allMatch(Optional::isPresent);
            assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
            access.close();
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }

    private static void assertCountsUp(Dataset data) {
        long next = 0;
        try (CloseableIterator<Batch> batches = data.iterBatches(10_000)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                for (long i = 0; i < batch.rows(); i++) {
                    if (batch.longs("id").get(i) != next++) {
                        throw new AssertionError(
                                "row " + (next - 1) + " is " + batch.longs("id").get(i));
                    }
                }
            }
        }
        assertThat(next).isEqualTo(ROWS);
    }

    @Test
    void aStreamLargerThanTheMemoryNeverSpills() throws IOException {
        try (Session session = open(SpillSettings.DEFAULT)) {
            assertThat(session.range(4 * ROWS).sum("id")).isEqualTo(2 * ROWS * (4 * ROWS - 1));
            assertThat(session.spillStats().spilledBlocks()).isZero();
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void withSpillingOffTheMemoryIsTheLimit() {
        try (Session session = open(SpillSettings.OFF)) {
            assertThatThrownBy(() -> session.range(ROWS).materialize()).hasMessageContaining("Spilling is off");
        }
    }

    @Test
    void partsOfASpilledDatasetAreRead() {
        try (Session session = open(SpillSettings.DEFAULT);
                MaterializedDataset kept = session.range(ROWS).materialize()) {
            List<MaterializedDataset> parts = kept.splitAtIndices(1000, ROWS / 2);
            assertThat(parts.get(0).sum("id")).isEqualTo(499_500L);
            assertThat(parts.get(1).count()).isEqualTo(ROWS / 2 - 1000);
            assertThat(parts.get(2).min("id")).isEqualTo(ROWS / 2);
        }
    }
}
