package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.testing.LoggedLines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Functions that do not return, whatever is done to their thread: runs end without them.
@Timeout(60)
class GivenUpTest {
    private static volatile CountDownLatch stuck;
    private static volatile CountDownLatch released;
    private static volatile CountDownLatch returned;
    /// For the future that nobody completes.
    private static volatile CountDownLatch asked;

    private static final AtomicReference<CompletableFuture<Batch>> FORGOTTEN = new AtomicReference<>();

    private Session session;

    @BeforeEach
    void open() {
        stuck = new CountDownLatch(1);
        released = new CountDownLatch(1);
        returned = new CountDownLatch(1);
        asked = new CountDownLatch(1);
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .faults(FaultSettings.DEFAULT.withCancelTimeout(Duration.ofSeconds(1)))
                .open();
    }

    /// Once it returns, its memory is free and its thread is idle.
    @AfterEach
    void nothingIsLeftWhenItReturns() throws Exception {
        if (stuck.getCount() == 0) {
            released.countDown();
            returned.await();
        }
        session.close();
    }

    /// Does not return before the test says so.
    private static long stuckAt(long id) {
        if (id < 500) {
            return id;
        }
        stuck.countDown();
        while (released.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            var _ = Thread.interrupted();
        }
        returned.countDown();
        return id;
    }

    private static CompletableFuture<Batch> forgotten() {
        asked.countDown();
        return FORGOTTEN.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFunctionThatDoesNotReturnIsGivenUpWhenTheIterationIsClosed() throws Exception {
        try (LoggedLines log = new LoggedLines("dev.millrace.internal.engine")) {
            CloseableIterator<Row> rows = session.range(1000, 2)
                    .map(row -> Row.of("id", stuckAt(row.getLong("id"))))
                    .iterRows();
            rows.next();
            stuck.await();

            rows.close();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(
                            "ends without work that did not end within 1.0 s of being cancelled: a task of Range -> map(")
                    .contains("(the thread millrace-worker-")
                    .contains("at dev.millrace.GivenUpTest.stuckAt(GivenUpTest.java:")
                    .contains("FaultSettings.cancelTimeout says how long they have.");
        }
        assertThat(session.running()).isEmpty();
        assertThat(session.range(10).count()).isEqualTo(10);
    }

    @Test
    void anErrorOfAnotherRowSurfaces() {
        try (LoggedLines log = new LoggedLines("dev.millrace.internal.engine")) {
            Dataset failing = session.range(1000, 2).map(row -> {
                if (row.getLong("id") == 3) {
                    await(stuck);
                    throw new IllegalStateException("no threes");
                }
                return Row.of("id", stuckAt(row.getLong("id")));
            });

            assertThatThrownBy(failing::takeAll)
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("no threes");
            assertThat(log.messages()).singleElement().asString().contains("GivenUpTest.stuckAt(");
        }
    }

    @Test
    void aFutureThatIsNotCompletedIsGivenUpAndNamed() throws Exception {
        CompletableFuture<Batch> forgotten = new CompletableFuture<>();
        FORGOTTEN.set(forgotten);
        try (LoggedLines log = new LoggedLines("dev.millrace.internal.engine")) {
            CloseableIterator<Row> rows = session.range(2000, 2)
                    .mapBatchesAsync(
                            batch -> batch.longs("id").get(0) < 1000
                                    ? CompletableFuture.completedFuture(batch)
                                    : forgotten(),
                            Compute.defaults().batchSize(500))
                    .iterRows();
            rows.next();
            await(asked);

            rows.close();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("ends without work that did not end within 1.0 s of being cancelled: a task of Range ->")
                    .contains(", which waits for the future of mapBatchesAsync(GivenUpTest:")
                    .contains(", which is not completed)");
        }
        forgotten.complete(null);
    }

    @Test
    void aRunThatWaitsForAFutureSaysSo() {
        CompletableFuture<Batch> forgotten = new CompletableFuture<>();
        FORGOTTEN.set(forgotten);
        try (Session impatient = Session.builder()
                .progress(ProgressSettings.OFF)
                .faults(FaultSettings.DEFAULT
                        .withStallTimeout(Duration.ofSeconds(1))
                        .withCancelTimeout(Duration.ofMillis(100)))
                .open()) {
            Dataset waiting = impatient.range(10, 1).mapBatchesAsync(_ -> FORGOTTEN.get(), Compute.defaults());
            assertThatThrownBy(waiting::takeAll)
                    .hasMessageContaining("made no progress for 1.0 s")
                    .hasMessageContaining("or a future that is never completed")
                    .hasMessageContaining("which waits for the future of mapBatchesAsync(GivenUpTest:")
                    .hasMessageContaining(", rows 0-9, which is not completed");
            forgotten.complete(null);
        }
    }

    @Test
    void aListingThatDoesNotReturnIsGivenUp() throws Exception {
        try (LoggedLines log = new LoggedLines("dev.millrace.internal.engine")) {
            CloseableIterator<Row> rows = session.fromIterator(() -> Stream.iterate(-2000L, n -> n + 1)
                            .map(n -> Row.of("id", stuckAt(n)))
                            .iterator())
                    .iterRows();
            rows.next();
            stuck.await();

            rows.close();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("the listing of Iterator (the thread millrace-splits-")
                    .contains("at dev.millrace.GivenUpTest.stuckAt(");
        }
    }

    @Test
    void closingTheSessionNamesTheThreadThatDoesNotEnd() throws Exception {
        Session own = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .faults(FaultSettings.DEFAULT.withCancelTimeout(Duration.ofMillis(100)))
                .open();
        CloseableIterator<Row> rows = own.range(1000, 2)
                .map(row -> Row.of("id", stuckAt(row.getLong("id"))))
                .iterRows();
        rows.next();
        stuck.await();

        assertThatThrownBy(own::close)
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "The session was closed while work goes on that does not end when it is cancelled:"
                                + " the thread millrace-worker-")
                .hasMessageContaining("GivenUpTest.stuckAt(");
    }

    @Test
    void closingTheSessionNamesAReaderThatDoesNotLetGo() throws Exception {
        Session own = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .faults(FaultSettings.DEFAULT.withCancelTimeout(Duration.ofMillis(100)))
                .open();
        FutureTask<Throwable> reader = new FutureTask<>(() ->
                catchThrowable(() -> own.range(1000).forEach(row -> stuckAt(row.getLong("id")))));
        Thread.ofPlatform().daemon().name("the-reader").start(reader);
        stuck.await();

        assertThatThrownBy(own::close)
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("did not let go of its rows within 0.1 s: the thread the-reader, at"
                        + " dev.millrace.GivenUpTest.stuckAt(");
        released.countDown();
        returned.await();
        assertThat(reader.get()).isNotNull();
    }

    @Test
    void theTimeMustNotBeNegative() {
        assertThatThrownBy(() -> FaultSettings.DEFAULT.withCancelTimeout(Duration.ofMillis(-1)))
                .isInstanceOf(MillraceException.class)
                .hasMessage("cancelTimeout must be zero or more, not PT-0.001S.");
    }
}
