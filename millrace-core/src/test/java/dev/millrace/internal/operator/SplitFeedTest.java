package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
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
                // Where there is one core, the pull needs it too.
                Thread.yield();
                assertThat(System.nanoTime())
                        .as("round " + round + ", " + taken + " of 3 came")
                        .isLessThan(deadline);
            }
            feed.close();
        }
    }
}
