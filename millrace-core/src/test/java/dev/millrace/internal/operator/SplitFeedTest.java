package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitFeedTest {
    private record Numbered(int number) implements Split {
        @Override
        public String description() {
            return "split " + number;
        }

        @Override
        public SplitReader open(ReadContext context) {
            throw new AssertionError("nobody reads it");
        }
    }

    private record Few(int splits) implements Source {
        @Override
        public String name() {
            return "few";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return IntStream.range(0, splits).<Split>mapToObj(Numbered::new).iterator();
        }
    }

    /// The loop takes a split while the pull that brought it has not ended: somebody must ask for the next one.
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // lets the pull run where there is one core
    void aSplitTakenBeforeItsPullHasEndedIsFollowedByTheNext() {
        for (int round = 0; round < 300; round++) {
            SplitFeed feed = new SplitFeed(
                    new Few(3), new SplitRequest(3, false, 1, 1), pull -> new Thread(pull).start(), () -> {});
            feed.refill();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            int taken = 0;
            while (taken < 3) {
                // Under its lock, so that the taker is often first when the pull has added a split.
                synchronized (feed) {
                    if (!feed.isEmpty()) {
                        feed.take();
                        taken++;
                    }
                }
                Thread.yield();
                assertThat(System.nanoTime())
                        .as("round " + round + ", " + taken + " of 3 came")
                        .isLessThan(deadline);
            }
            feed.close();
        }
    }

    /// A source that tells of each call, and what happens in it is up to the test.
    private static final class Watched implements Source, Iterator<Split>, AutoCloseable {
        final List<String> calls = new ArrayList<>();
        private final Map<String, Runnable> during;

        Watched(Map<String, Runnable> during) {
            this.during = during;
        }

        private void called(String call) {
            calls.add(call);
            during.getOrDefault(call, () -> {}).run();
        }

        @Override
        public String name() {
            return "watched";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            called("splits");
            return this;
        }

        @Override
        public boolean hasNext() {
            called("hasNext");
            return true;
        }

        @Override
        public Split next() {
            called("next");
            return new Numbered(0);
        }

        @Override
        public void close() {
            called(Thread.currentThread().isInterrupted() ? "close, interrupted" : "close");
        }
    }

    @Test
    void aPullThatBeginsAfterTheCloseAsksTheSourceForNothing() {
        Watched source = new Watched(Map.of());
        List<Runnable> pulls = new ArrayList<>();
        AtomicInteger changes = new AtomicInteger();
        SplitFeed feed = new SplitFeed(source, new SplitRequest(3, false, 1, 1), pulls::add, changes::incrementAndGet);
        feed.refill();

        feed.close();
        assertThat(feed.isPulling()).isTrue();
        pulls.forEach(Runnable::run);

        assertThat(source.calls).isEmpty();
        assertThat(feed.isPulling()).isFalse();
        assertThat(feed.isExhausted()).isTrue();
        assertThat(changes).hasValue(1);
    }

    /// The interrupt may come while the source is in a call that takes no notice of it: the next call could wait for
    /// ever.
    @Test
    void aClosedFeedMakesNoFurtherCallOfItsSource() {
        for (String call : List.of("splits", "hasNext", "next")) {
            AtomicReference<SplitFeed> feed = new AtomicReference<>();
            Watched source = new Watched(Map.of(call, () -> closeElsewhere(feed.get())));
            feed.set(new SplitFeed(source, new SplitRequest(3, false, 1, 1), Runnable::run, () -> {}));

            feed.get().refill();

            assertThat(source.calls.subList(source.calls.indexOf(call) + 1, source.calls.size()))
                    .as("after " + call)
                    .containsExactly("close");
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    /// By another thread; the interrupt that it sends is swallowed.
    private static void closeElsewhere(SplitFeed feed) {
        CompletableFuture.runAsync(feed::close, closing -> new Thread(closing).start())
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
        // Swallowed, as some sources do; waiting above goes on when it comes.
        var _ = Thread.interrupted();
        assertThat(feed.isExhausted()).isTrue();
    }
}
