package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What is freed when: every test ends with a session that must close without a byte held.
interface ClosingBehaviour extends Behaviour {
    @Test
    default void anIterationClosedEarlyCancelsItsRun() {
        Dataset many = session().range(100_000_000);
        try (CloseableIterator<Batch> batches = many.iterBatches(1000)) {
            assertThat(batches.next().rows()).isEqualTo(1000);
        }
        assertThat(session().running()).isEmpty();
        try (CloseableIterator<Row> rows = many.iterRows()) {
            assertThat(rows.next()).isEqualTo(Row.of("id", 0L));
        }
        try (CloseableIterator<Batch> batches =
                many.iterBatches(BatchOptions.of(10).shuffle(1000, 1).prefetch(3))) {
            assertThat(batches.next().rows()).isEqualTo(10);
        }
        assertThat(session().resources().freeBlockBytes())
                .isEqualTo(session().resources().blockBytes());
    }

    @Test
    default void abandonedIterationsAreClosedWithTheSession() {
        assertThat(session().range(100_000_000).iterBatches().next().rows()).isEqualTo(256);
        assertThat(session().range(100_000_000).iterRows().next()).isEqualTo(Row.of("id", 0L));
        session()
                .range(100_000_000)
                .iterBatches(BatchOptions.of(10).shuffle(100, 1))
                .next();
        assertThat(session().running()).hasSize(3);
        session().range(10).streamingSplit(2).get(0).iterRows();
    }

    @Test
    default void aFailureClosesTheIteration() {
        Dataset failing = session().range(1000, 10).map(row -> {
            if (row.getLong("id") > 500) {
                throw new IllegalArgumentException("too large");
            }
            return row.copy();
        });
        CloseableIterator<Row> rows = failing.iterRows();
        assertError(() -> rows.forEachRemaining(row -> {})).hasMessageContaining("too large");
        assertThat(rows.hasNext()).isFalse();
        assertThat(session().running()).isEmpty();
        assertThat(failing.stats()).contains("failed");
    }

    @Test
    default void aThrowingConsumerLeavesNothingBehind() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> session().range(1_000_000).forEach(row -> {
                            throw new IllegalStateException("mine");
                        })))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("mine");
        assertThat(session().running()).isEmpty();
    }

    @Test
    default void aSessionThatClosesWakesItsReaders() throws Exception {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        CloseableIterator<Row> rows = session()
                .range(1000, 10)
                .map(row -> {
                    Thread.sleep(1000);
                    return row.copy();
                })
                .iterRows();
        Thread reader = Thread.startVirtualThread(() -> {
            try {
                rows.forEachRemaining(row -> {});
            } catch (Throwable e) {
                seen.set(e);
            }
        });
        Thread.sleep(100);
        session().close();
        reader.join(30_000);
        assertThat(reader.isAlive()).isFalse();
        assertThat(seen.get()).isNotNull();
    }

    @Test
    default void aClosedSessionSaysSo() {
        Dataset rows = session().range(3);
        session().close();
        assertError(rows::takeAll).hasMessageContaining("The session is closed");
        assertError(() -> session().range(3)).hasMessageContaining("The session is closed");
        session().close();
    }

    @Test
    default void resourcesTellWhatThereIsAndWhatIsFree() {
        SessionResources resources = session().resources();
        assertThat(resources.total().cpus()).isEqualTo(4);
        assertThat(resources.free()).isEqualTo(resources.total());
        assertThat(resources.total().custom()).containsEntry("disk", 2.0);
        assertThat(resources.freeBlockBytes()).isEqualTo(resources.blockBytes()).isPositive();
    }

    @Test
    default void datasetsRunBesideEachOther() {
        Dataset rows = session().range(1000, 4);
        try (CloseableIterator<Row> first = rows.iterRows();
                CloseableIterator<Row> second = rows.iterRows()) {
            for (int i = 0; i < 1000; i++) {
                assertThat(first.next()).isEqualTo(second.next());
            }
        }
    }
}
