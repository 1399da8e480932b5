package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A row of which more rows come than memory has room for: they leave while the call still puts out more.
@Timeout(60)
class EndlessFlatMapTest {
    private static final long MEMORY = 48 << 20;
    private static final AtomicLong ASKED = new AtomicLong();

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(MEMORY))
            .open();

    record Id(long id) {}

    record Text(long n, String text) {}

    @AfterEach
    void close() {
        session.close();
    }

    private static Iterable<Row> endless(Row row) {
        return () -> Stream.iterate(row.getLong("id"), n -> n + 1)
                .map(n -> Row.of("n", n, "text", "a text of some length, number " + n))
                .iterator();
    }

    @Test
    void aLimitIsContentWithTheFirstRows() {
        List<Row> rows = session.range(2, 1)
                .flatMap(EndlessFlatMapTest::endless)
                .limit(10)
                .takeAll();

        assertThat(rows)
                .extracting(row -> row.getLong("n"))
                .containsExactlyElementsOf(LongStream.range(0, 10).boxed().toList());
        assertThat(session.range(2, 1)
                        .flatMap(
                                Id.class,
                                Text.class,
                                id -> () -> Stream.iterate(id.id(), n -> n + 1)
                                        .map(n -> new Text(n, "n" + n))
                                        .iterator())
                        .filter(Text.class, text -> text.n() % 2 == 1)
                        .map(row -> Row.of("n", row.getLong("n")))
                        .take(3))
                .containsExactly(Row.of("n", 1L), Row.of("n", 3L), Row.of("n", 5L));
    }

    /// Whether the eleventh row ever comes is nobody's business.
    @Test
    void aLimitAsksForNoRowMoreThanItNeeds() {
        ASKED.set(0);
        Dataset rows = session.range(1)
                .flatMap(row -> () -> Stream.iterate(0L, n -> n + 1)
                        .map(n -> {
                            ASKED.incrementAndGet();
                            return Row.of("n", n);
                        })
                        .iterator());

        assertThat(rows.limit(10).takeAll()).hasSize(10);
        assertThat(ASKED).hasValue(10);

        ASKED.set(0);
        assertThat(session.range(1000, 1)
                        .filter(row -> {
                            ASKED.incrementAndGet();
                            return row.getLong("id") % 2 == 1;
                        })
                        .take(10))
                .hasSize(10);
        assertThat(ASKED).hasValue(20);
    }

    @Test
    void moreRowsThanFitIntoMemoryComeOfOneRow() {
        long count = 3_000_000;
        assertThat(session.range(1)
                        .flatMap(row -> () -> LongStream.range(0, count)
                                .mapToObj(n -> Row.of("n", n, "text", "thirty-two characters of a text!"))
                                .iterator())
                        .count())
                .isEqualTo(count);
        assertThat(count * 40).isGreaterThan(2 * MEMORY);
    }

    @Test
    void moreBatchesThanFitIntoMemoryComeOfOneCall() {
        Dataset emitted = session.range(2, 1).flatMapBatches((batch, out) -> {
            for (int i = 0; i < 100; i++) {
                out.emit(batch.none().with("n", new long[1 << 17]));
            }
        });
        assertThat(emitted.count()).isEqualTo(100L << 17);
        try (CloseableIterator<Batch> batches = session.range(2, 1)
                .flatMapBatches((batch, out) -> {
                    while (true) {
                        out.emit(batch.none().with("n", new long[1 << 17]));
                    }
                })
                .iterBatches(1000)) {
            for (int i = 0; i < 1000; i++) {
                assertThat(batches.next().rows()).isEqualTo(1000);
            }
        }
        assertThat(session.running()).isEmpty();
    }

    @Test
    void anIterationThatIsClosedEndsIt() {
        try (CloseableIterator<Batch> batches =
                session.range(4, 2).flatMap(EndlessFlatMapTest::endless).iterBatches(1000)) {
            for (int i = 0; i < 100; i++) {
                assertThat(batches.next().rows()).isEqualTo(1000);
            }
        }
        assertThat(session.running()).isEmpty();
    }

    @Test
    void anErrorOfAStepBehindIsNotTheFunctions() {
        Dataset failing = session.range(1).flatMap(EndlessFlatMapTest::endless).mapBatches(batch -> {
            throw new IllegalStateException("not this batch");
        });

        assertThatThrownBy(failing::takeAll)
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("mapBatches(")
                .hasMessageContaining("not this batch");
    }

    @Test
    void anErrorInTheMiddleNamesTheFunctionAndTheRow() {
        Dataset failing = session.range(5, 1)
                .flatMap(row -> () -> LongStream.range(0, 1_000_000)
                        .mapToObj(n -> {
                            if (row.getLong("id") == 3 && n == 900_000) {
                                throw new IllegalStateException("not this one");
                            }
                            return Row.of("n", n);
                        })
                        .iterator());

        assertThatThrownBy(failing::count)
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("flatMap(")
                .hasMessageContaining("row 3")
                .hasMessageContaining("not this one");
    }

    /// They would have to wait for an end that does not come.
    @Test
    void underAPolicyItIsAnErrorThatSaysWhy() {
        Dataset rows = session.range(1)
                .flatMap(EndlessFlatMapTest::endless, Compute.defaults().onError(ErrorPolicy.skip()))
                .limit(10);

        assertThatThrownBy(rows::takeAll)
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "It put out more than 1000000 rows for one. Under an error policy they wait until it"
                                + " has ended well; let it fail (the default), and they leave one by one.");
    }
}
