package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.AtOnce;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A session that another thread closes is an error for whoever reads. The rows here have no end, so that a call that
/// returns has lost some.
@Timeout(60)
class ClosedSessionTest {
    private static final long MANY = 30_000;

    enum Way {
        TAKE_ALL((rows, _) -> rows.takeAll()),
        TAKE_BATCH((rows, _) -> rows.takeBatch(1_000_000_000)),
        SHOW((rows, _) -> rows.showString(1_000_000_000)),
        COUNT((rows, _) -> rows.count()),
        SUM((rows, _) -> rows.sum("n")),
        AGGREGATE((rows, _) -> rows.aggregate(Aggregates.max("n")).takeAll()),
        MATERIALIZE((rows, _) -> rows.materialize()),
        FOR_EACH((rows, _) -> rows.forEach(_ -> {})),
        FOR_EACH_BATCH((rows, _) -> rows.forEachBatch(BatchOptions.of(10), _ -> {})),
        STREAM((rows, _) -> rows.stream().forEach(_ -> {})),
        SORT((rows, _) -> rows.sort("n").take(3)),
        WRITE((rows, folder) -> rows.writeArrow(folder.resolve("rows").toString())),
        SHARD((rows, _) -> {
            try (Shard shard = rows.streamingSplit(1).getFirst()) {
                shard.iterBatches().forEachRemaining(_ -> {});
            }
        });

        private final Use use;

        Way(Use use) {
            this.use = use;
        }

        private interface Use {
            void of(Dataset rows, Path folder);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void isAnErrorForEveryCallThatReadsToTheEnd(Way way, @TempDir Path folder) throws Exception {
        CountDownLatch under = new CountDownLatch(1);
        Session session = Session.builder().progress(ProgressSettings.OFF).open();
        Dataset endless = session.fromIterator(() -> Stream.iterate(0L, n -> n + 1)
                .map(n -> {
                    if (n == MANY) {
                        under.countDown();
                    }
                    return Row.of("n", n);
                })
                .iterator());
        FutureTask<Throwable> reader = new FutureTask<>(() -> catchThrowable(() -> way.use.of(endless, folder)));
        Thread.ofPlatform().daemon().start(reader);
        under.await();
        // Its first tasks may run before the run is one of the session's.
        while (session.running().isEmpty()) {
            Thread.sleep(1);
        }

        session.close();

        assertThat(AtOnce.result(reader))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The session was closed while ")
                .hasMessageContaining("What was left was not read.");
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void anIteratorThatAnotherThreadClosesIsAnErrorForItsReader() throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            CloseableIterator<Row> rows = session.range(1000, 50).iterRows();
            rows.next();
            Thread other = new Thread(rows::close, "the-other-one");
            other.start();
            other.join();

            assertThat(catchThrowable(rows::hasNext))
                    .isInstanceOf(MillraceException.class)
                    .hasMessage("The iteration was closed by the thread the-other-one while another one read it, after"
                            + " 1 rows. What was left was not read.");
        }
    }

    @Test
    void aShardThatIsClosedOrReadAnewIsAnErrorForItsOldReader() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Shard shard = session.range(1000, 50).streamingSplit(1).getFirst();
            List<Consumer<Shard>> ways = List.of(Shard::iterRows, Shard::close);
            List<String> told = List.of(
                    "Shard 0 began another iteration while this one was being read, after 1 rows.",
                    "Shard 0 was closed while an iteration of it was being read, after 1 rows.");
            for (int i = 0; i < ways.size(); i++) {
                CloseableIterator<Row> rows = shard.iterRows();
                rows.next();
                ways.get(i).accept(shard);
                assertThat(catchThrowable(rows::hasNext))
                        .isInstanceOf(MillraceException.class)
                        .hasMessage(told.get(i) + " What was left was not read.");
            }
        }
    }

    @Test
    void aSessionCannotBeClosedInsideOfAFunctionOrAnActionOfItsOwn() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            List<Consumer<Dataset>> ways = List.of(
                    rows -> rows.map(row -> {
                                session.close();
                                return row.copy();
                            })
                            .takeAll(),
                    rows -> rows.mapBatches(batch -> {
                                session.close();
                                return batch;
                            })
                            .takeAll(),
                    rows -> rows.forEach(_ -> session.close()));
            for (Consumer<Dataset> way : ways) {
                assertThat(catchThrowable(() -> way.accept(session.range(10))))
                        .isInstanceOf(MillraceException.class)
                        .hasMessageContaining("A session was closed inside of a")
                        .hasMessageContaining(
                                "for which the close would wait. Close it when its datasets have been read.");
                assertThat(session.range(10).count()).isEqualTo(10);
            }
        }
    }

    @Test
    void anotherSessionMayBeOpenedAndClosedInAFunction() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(session.range(2)
                            .map(row -> {
                                try (Session inner = Session.builder()
                                        .progress(ProgressSettings.OFF)
                                        .open()) {
                                    return Row.of(
                                            "rows",
                                            inner.range(row.getLong("id")).count());
                                }
                            })
                            .takeAll())
                    .containsExactly(Row.of("rows", 0L), Row.of("rows", 1L));
        }
    }
}
