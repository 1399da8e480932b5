package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// However few blocks there are, the rows of them are work for all actors of a pool.
@Timeout(60)
class SpreadOverActorsTest {
    private static final int ACTORS = 4;
    private static final int BATCH = 16;

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(ACTORS))
            .progress(ProgressSettings.OFF)
            .open();

    @AfterEach
    void nothingIsLeft() {
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    /// Rows that each actor had, and the rows of each batch.
    private static final class Counted implements Factory<BatchFunction> {
        final List<AtomicLong> rows = new CopyOnWriteArrayList<>();
        final List<Long> batches = new CopyOnWriteArrayList<>();
        /// Nobody ends its first call before all have one.
        final CyclicBarrier first;

        Counted(int actors) {
            first = new CyclicBarrier(actors);
        }

        @Override
        public BatchFunction create() {
            AtomicLong mine = new AtomicLong();
            rows.add(mine);
            return batch -> {
                batches.add(batch.rows());
                if (mine.getAndAdd(batch.rows()) == 0) {
                    first.await(30, TimeUnit.SECONDS);
                }
                return batch;
            };
        }

        List<Long> perActor() {
            return rows.stream().map(AtomicLong::get).toList();
        }
    }

    @Test
    void oneBlockIsSharedByAllActors() {
        Counted counted = new Counted(ACTORS);
        try (MaterializedDataset block = session.range(64, 1).materialize()) {
            long rows = block.mapBatches(counted, Compute.actors(ACTORS).batchSize(BATCH)).iterBatches(BATCH).stream()
                    .mapToLong(Batch::rows)
                    .sum();
            assertThat(rows).isEqualTo(64);
        }
        assertThat(counted.perActor()).containsExactly(16L, 16L, 16L, 16L);
    }

    @Test
    void rowsBehindALimitComeInWholeBatches() {
        Counted counted = new Counted(1);
        List<Long> ids = session
                .range(10_000, 8)
                .limit(256)
                .mapBatches(counted, Compute.actors(ACTORS).batchSize(BATCH))
                .takeAll()
                .stream()
                .map(row -> row.getLong("id"))
                .toList();
        assertThat(ids).hasSize(256).isSorted().doesNotHaveDuplicates();
        assertThat(counted.batches).allMatch(rows -> rows == BATCH);
    }

    @Test
    void aPoolGrowsForTheRowsOfOneBlock() {
        Counted counted = new Counted(2);
        try (MaterializedDataset block = session.range(200, 1).materialize()) {
            assertThat(block.mapBatches(counted, Compute.actors(1, 2).batchSize(BATCH))
                            .count())
                    .isEqualTo(200);
        }
        assertThat(counted.perActor()).hasSize(2);
    }

    @Test
    void withoutABatchSizeABlockStaysWhole() {
        Counted counted = new Counted(1);
        try (MaterializedDataset block = session.range(64, 1).materialize()) {
            assertThat(block.mapBatches(counted, Compute.actors(ACTORS)).count())
                    .isEqualTo(64);
        }
        assertThat(counted.batches).containsExactly(64L);
    }

    /// All calls of the one actor are under way before the first ends.
    @Test
    void anActorMayWorkOnSeveralCallsAtOnce() {
        CyclicBarrier together = new CyclicBarrier(3);
        BatchFunction waits = batch -> {
            together.await(30, TimeUnit.SECONDS);
            return batch;
        };
        assertThat(session.range(9, 9)
                        .mapBatches(
                                () -> waits, Compute.actors(1).callsAtOnce(3).batchSize(1))
                        .count())
                .isEqualTo(9);
    }

    @Test
    void optionsOfAPoolNeedOne() {
        assertThat(Compute.actors(1, 4).initialActors(2).callsAtOnce(8).callsInFlight(10))
                .hasToString("Compute.actors(1, 4).initialActors(2).callsAtOnce(8).callsInFlight(10)");
        assertThatThrownBy(() -> Compute.tasks().callsAtOnce(2))
                .hasMessage("callsAtOnce belongs to a pool of actors: Compute.actors(1, 4).callsAtOnce(...).");
        assertThatThrownBy(() -> Compute.actors(2).callsAtOnce(4).callsInFlight(2))
                .hasMessage("An actor that runs 4 calls at once has as many or more in flight, not 2.");
        assertThatThrownBy(() -> Compute.actors(1, 2).initialActors(3))
                .hasMessageContaining("needs 0 <= min <= initial <= max");
    }
}
