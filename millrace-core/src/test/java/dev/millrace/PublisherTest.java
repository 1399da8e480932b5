package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Datasets as publishers, and publishers as datasets.
class PublisherTest {
    private static final long LIMIT_SECONDS = 100;

    /// Asks for some rows at a time, and keeps them.
    private static class Collector implements Flow.Subscriber<Row> {
        final List<Long> ids = new ArrayList<>();
        final CompletableFuture<List<Long>> all = new CompletableFuture<>();
        final CountDownLatch first = new CountDownLatch(1);
        final int step;
        Flow.Subscription subscription;

        Collector(int step) {
            this.step = step;
        }

        @Override
        public void onSubscribe(Flow.Subscription made) {
            subscription = made;
            made.request(step);
        }

        @Override
        public void onNext(Row row) {
            ids.add(row.getLong("id"));
            first.countDown();
            if (ids.size() % step == 0) {
                subscription.request(step);
            }
        }

        @Override
        public void onError(Throwable thrown) {
            all.completeExceptionally(thrown);
        }

        @Override
        public void onComplete() {
            all.complete(ids);
        }
    }

    private static List<Long> ids(long rows) {
        return LongStream.range(0, rows).boxed().toList();
    }

    @Test
    void aSubscriberGetsTheRowsThatItAsksFor() throws Exception {
        try (Session session = Session.open()) {
            Flow.Publisher<Row> publisher = session.range(1000, 4).publisher();
            for (int step : new int[] {1, 7, 5000}) {
                Collector collector = new Collector(step);
                publisher.subscribe(collector);
                assertThat(collector.all.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(ids(1000));
            }
        }
    }

    @Test
    void aSubscriberThatAsksForNothingGetsNothingAndCanLeave() throws Exception {
        try (Session session = Session.open()) {
            Collector collector = new Collector(5) {
                @Override
                public void onNext(Row row) {
                    ids.add(row.getLong("id"));
                    if (ids.size() == 5) {
                        first.countDown();
                    }
                }
            };
            session.range(1000, 4).publisher().subscribe(collector);
            assertThat(collector.first.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            collector.subscription.cancel();
            assertThat(collector.ids).isEqualTo(ids(5));
            assertThat(collector.all).isNotDone();
        }
    }

    @Test
    void failuresReachTheSubscriber() {
        try (Session session = Session.open()) {
            Collector collector = new Collector(5000);
            session.range(10)
                    .map(row -> {
                        throw new IllegalStateException("no row today");
                    })
                    .publisher()
                    .subscribe(collector);
            assertThatThrownBy(() -> collector.all.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("no row today");
            Collector greedy = new Collector(0);
            session.range(10).publisher().subscribe(greedy);
            assertThatThrownBy(() -> greedy.all.get(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("A subscriber asks for 1 row or more, not for 0");
        }
    }

    @Test
    void aPublisherIsADataset() {
        try (Session session = Session.open();
                SubmissionPublisher<Row> publisher = new SubmissionPublisher<>()) {
            // A thread of its own: a virtual one that spins would keep the only CPU of a small machine.
            Thread feeder = Thread.ofPlatform().daemon().start(() -> {
                while (publisher.getNumberOfSubscribers() == 0 && !publisher.isClosed()) {
                    LockSupport.parkNanos(100_000);
                }
                for (long id = 0; id < 3000; id++) {
                    publisher.submit(Row.of("id", id));
                }
                publisher.close();
            });
            List<Row> rows = session.fromPublisher(publisher).takeAll();
            assertThat(rows.stream().map(row -> row.getLong("id")).toList()).isEqualTo(ids(3000));
            assertThat(feeder).isNotNull();
        }
    }

    @Test
    void aPublisherThatFailsIsAnErrorAndOneThatIsLeftIsCancelled() throws Exception {
        try (Session session = Session.open()) {
            Flow.Publisher<Row> failing = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long rows) {
                    subscriber.onError(new IllegalStateException("the line is cut"));
                }

                @Override
                public void cancel() {}
            });
            assertThatThrownBy(() -> session.fromPublisher(failing).takeAll())
                    .hasMessageContaining("The publisher failed: java.lang.IllegalStateException: the line is cut");
            CountDownLatch cancelled = new CountDownLatch(1);
            AtomicInteger next = new AtomicInteger();
            Flow.Publisher<Row> endless = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long rows) {
                    for (long i = 0; i < rows; i++) {
                        subscriber.onNext(Row.of("id", (long) next.getAndIncrement()));
                    }
                }

                @Override
                public void cancel() {
                    cancelled.countDown();
                }
            });
            assertThat(session.fromPublisher(endless).take(5)).hasSize(5);
            assertThat(cancelled.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
