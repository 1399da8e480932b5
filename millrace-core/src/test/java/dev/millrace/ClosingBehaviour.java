package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatchOptions;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
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
        assertThat(session().running()).isEmpty();
        assertThat(failing.stats()).contains("failed");
    }

    /// Who asks again must not take the rows so far for all of them.
    @Test
    default void anIterationThatFailedGoesOnFailing() {
        CloseableIterator<Row> rows = session()
                .range(10, 1)
                .map(row -> {
                    throw new IllegalArgumentException("not this one");
                })
                .iterRows();
        assertError(rows::hasNext).hasMessageContaining("not this one");
        assertError(rows::hasNext).hasMessageContaining("not this one");
        assertError(rows::next).hasMessageContaining("not this one");
        rows.close();
        assertThat(rows.hasNext()).isFalse();
    }

    /// Ways to read rows one after the other, each after it has given some.
    @Test
    default void aSessionThatIsClosedIsAnErrorForEveryIterator() {
        Dataset rows = session().range(1000, 50);
        MaterializedDataset kept = rows.materialize();
        BatchOptions tens = BatchOptions.of(10);
        Shard shard = rows.streamingSplit(1).getFirst();
        Shard tensorShard = rows.streamingSplit(1).getFirst();
        Shard rowShard = rows.streamingSplit(1).getFirst();
        Map<String, Iterator<?>> ways = new LinkedHashMap<>();
        ways.put("batches", rows.iterBatches(tens));
        ways.put("shuffled batches", rows.iterBatches(tens.shuffle(20, 1).prefetch(2)));
        ways.put("rows", rows.iterRows());
        ways.put("records", rows.iterRecords(Id.class));
        ways.put("stream", rows.stream().iterator());
        ways.put("stream of records", rows.stream(Id.class).iterator());
        ways.put("tensors", rows.iterTensorBatches(TensorBatchOptions.batchSize(10)));
        ways.put(
                "tensors ahead",
                rows.iterTensorBatches(TensorBatchOptions.batchSize(10).prefetch(2)));
        ways.put("materialised batches", kept.iterBatches(tens));
        ways.put("materialised rows", kept.iterRows());
        ways.put("shard batches", shard.iterBatches(tens));
        ways.put("shard tensors", tensorShard.iterTensorBatches(TensorBatchOptions.batchSize(10)));
        ways.put("shard rows", rowShard.iterRows());
        ways.values().forEach(Iterator::next);

        session().close();

        ways.forEach((way, iterator) -> {
            for (int i = 0; i < 2; i++) {
                assertThat(catchThrowable(iterator::hasNext))
                        .as(way)
                        .isInstanceOf(MillraceException.class)
                        .hasMessageContaining("The session was closed while ")
                        .hasMessageContaining(" being read, after 1 ")
                        .hasMessageContaining("What was left was not read.");
                assertThat(catchThrowable(iterator::next)).as(way).isInstanceOf(MillraceException.class);
            }
        });
    }

    /// A column of [Session#range].
    record Id(long id) {}

    @Test
    default void anIteratorOfOnesOwnIsClosedWithoutAnError() {
        CloseableIterator<Row> rows = session().range(1000, 50).iterRows();
        rows.next();
        rows.close();
        assertThat(rows.hasNext()).isFalse();
        CloseableIterator<Row> read = session().range(10).iterRows();
        read.forEachRemaining(row -> {});
        session().close();
        assertThat(rows.hasNext()).isFalse();
        assertThat(read.hasNext()).isFalse();
    }

    @Test
    default void aThrowingConsumerLeavesNothingBehind() {
        assertThat(catchThrowable(() -> session().range(1_000_000).forEach(row -> {
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

    /// Of the suite's runtime: CPUs and custom resources.
    default Resources capacity() {
        return DatasetSuite.CAPACITY;
    }

    @Test
    default void resourcesTellWhatThereIsAndWhatIsFree() {
        SessionResources resources = session().resources();
        assertThat(resources.total().cpus()).isEqualTo(capacity().cpus());
        assertThat(resources.free()).isEqualTo(resources.total());
        assertThat(resources.total().custom()).containsAllEntriesOf(capacity().custom());
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
