package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expressions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Functions that take a while for each row and do not listen to interrupts: a whole chunk of them takes an hour, so
/// that a run that waited for it would run into the time limit of these tests.
@Timeout(60)
class SlowFunctionTest {
    private static final long ROWS = 200_000;
    private static final long SLOW_FROM = ROWS / 2;
    private static final long MILLIS_PER_ROW = 30;

    /// Of the test at work: functions are static, so that they can be shipped.
    private static volatile CountDownLatch slowIsUnderWay;

    private static volatile boolean fails;
    private static final AtomicBoolean CALLED_AFTER_THE_END = new AtomicBoolean();
    private static volatile boolean ended;

    private Session session;

    record Id(long id) {}

    enum Way {
        MAP(rows -> rows.map(row -> Row.of("id", slow(row.getLong("id"))))),
        MAP_SKIPPING(rows -> rows.map(row -> Row.of("id", slow(row.getLong("id"))), skipping())),
        FILTER(rows -> rows.filter(row -> slow(row.getLong("id")) >= 0)),
        FLAT_MAP(rows -> rows.flatMap(row -> List.of(Row.of("id", slow(row.getLong("id")))))),
        FLAT_MAP_LAZILY(rows -> rows.flatMap(row -> lazily(row.getLong("id")))),
        MAP_RECORDS(rows -> rows.map(Id.class, Id.class, id -> new Id(slow(id.id())))),
        FILTER_RECORDS(rows -> rows.filter(Id.class, id -> slow(id.id()) >= 0)),
        MAP_BATCHES(rows -> rows.mapBatches(
                batch -> batch.mapLongs("id", id -> slow(id)),
                Compute.defaults().batchSize(1))),
        EXPRESSION(rows ->
                rows.withColumn("slow", Expressions.udf("slow", DataType.INT64, (Long id) -> slow(id), col("id")))),
        FILTER_EXPRESSION(rows -> rows.filter(Expressions.udf("slow", DataType.INT64, (Long id) -> slow(id), col("id"))
                .ge(0L)));

        private final Verb verb;

        Way(Verb verb) {
            this.verb = verb;
        }

        private interface Verb {
            Dataset over(Dataset rows);
        }
    }

    private static Compute skipping() {
        return Compute.defaults().onError(ErrorPolicy.skip());
    }

    /// One row for each, but of the first slow one as many as are asked for.
    private static Iterable<Row> lazily(long id) {
        return () -> id < SLOW_FROM
                ? List.of(Row.of("id", slow(id))).iterator()
                : Stream.iterate(id, next -> next + 1)
                        .map(next -> Row.of("id", slow(next)))
                        .iterator();
    }

    private static long slow(long id) {
        if (id == 3 && fails) {
            awaitSlow();
            throw new IllegalStateException("no threes");
        }
        if (id < SLOW_FROM) {
            return id;
        }
        CALLED_AFTER_THE_END.compareAndSet(false, ended);
        slowIsUnderWay.countDown();
        long end = System.nanoTime() + MILLIS_PER_ROW * 1_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        // As a function does that catches everything.
        var _ = Thread.interrupted();
        return id;
    }

    private static void awaitSlow() {
        try {
            slowIsUnderWay.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() {
        slowIsUnderWay = new CountDownLatch(1);
        ended = false;
        CALLED_AFTER_THE_END.set(false);
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void anErrorOfARowDoesNotWaitForASlowSibling(Way way) {
        fails = way != Way.MAP_SKIPPING;
        Dataset rows = way.verb.over(session.range(ROWS, 2));
        if (!fails) {
            // The error is another operator's.
            rows = rows.filter(row -> {
                awaitSlow();
                throw new IllegalStateException("no threes");
            });
        }

        Throwable failure = catchThrowable(rows::takeAll);
        ended = true;

        assertThat(failure).isInstanceOf(MillraceException.class).hasMessageContaining("no threes");
        assertThat(CALLED_AFTER_THE_END).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void closingDoesNotWaitForAChunkOfASlowFunction(Way way) throws Exception {
        fails = false;
        CloseableIterator<Row> rows = way.verb.over(session.range(ROWS, 2)).iterRows();
        rows.next();
        slowIsUnderWay.await();

        rows.close();
        ended = true;

        assertThat(session.running()).isEmpty();
        assertThat(CALLED_AFTER_THE_END).isFalse();
    }

    @Test
    void closingDoesNotWaitForASlowIteratorToFillASplit() throws Exception {
        fails = false;
        Iterator<Row> slowRows = Stream.iterate(SLOW_FROM - 5000, n -> n + 1)
                .map(n -> Row.of("id", slow(n)))
                .iterator();
        CloseableIterator<Batch> batches = session.fromIterator(slowRows).iterBatches(10);
        batches.next();
        slowIsUnderWay.await();

        batches.close();
        ended = true;

        assertThat(CALLED_AFTER_THE_END).isFalse();
    }
}
