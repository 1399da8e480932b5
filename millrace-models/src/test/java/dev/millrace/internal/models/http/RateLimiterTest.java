package dev.millrace.internal.models.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    /// A clock that goes on when somebody sleeps.
    private static final class FakeTime implements WaitClock {
        long now = 1_000;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
        }
    }

    @Test
    void neverMoreInAnyMinuteThanTheLimitAndASecondsShare() {
        long seed = Seeds.seed();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 50; round++) {
            double limit = random.nextInt(1, 5000);
            long now = random.nextLong(1L << 40);
            TokenBucket bucket = new TokenBucket(limit, 1, now);
            List<Long> used = new ArrayList<>();
            for (int i = 0; i < 3 * limit; i++) {
                now += random.nextInt(4) == 0 ? random.nextLong((long) (300e9 / limit)) : 0;
                used.add(now + bucket.left(bucket.take(1, now), now));
            }
            int first = 0;
            for (int i = 0; i < used.size(); i++) {
                while (used.get(i) - used.get(first) >= 60e9) {
                    first++;
                }
                assertThat(i - first + 1.0)
                        .as("limit %s, seed %d", limit, seed)
                        .isLessThanOrEqualTo(limit + Math.max(1, limit / 60) + 1e-6);
            }
        }
    }

    /// Three nodes that send as fast as they may, of which one comes late and one is lost. A node that comes is counted
    /// by all at once, one that is lost when it has ended.
    @Test
    void nodesTogetherStayBelowTheLimitWhileTheyJoinAndAreLost() throws Exception {
        AtomicInteger nodes = new AtomicInteger(2);
        FakeTime time = new FakeTime();
        List<RateLimiter> limiters = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            limiters.add(new RateLimiter(600, 0, time, nodes::get));
        }
        List<Long> sent = new ArrayList<>();
        long begin = time.nanos();
        for (int round = 0; round < 300; round++) {
            if (round == 60) {
                nodes.set(3);
                limiters.add(new RateLimiter(600, 0, time, nodes::get));
            }
            if (round == 160) {
                nodes.set(2);
                limiters.removeFirst();
            }
            for (RateLimiter limiter : limiters) {
                limiter.await(0);
                sent.add(time.nanos());
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            // Ten a second, and one second's amount at the beginning.
            double allowed = 10 + (sent.get(i) - begin) / 1e8;
            assertThat(i + 1.0).as("request %d", i).isLessThanOrEqualTo(allowed + 1e-6);
        }
        assertThat(time.nanos() - begin).as("they get the limit, too").isLessThan((long) (sent.size() * 1.35e8));
    }

    @Test
    void whoWaitsGetsTheLimitAndNotLess() throws Exception {
        FakeTime time = new FakeTime();
        RateLimiter limiter = new RateLimiter(600, 0, time, () -> 1);
        long start = time.now;
        for (int i = 0; i < 610; i++) {
            limiter.await(0);
        }
        // Ten at once, then ten in each second.
        assertThat((time.now - start) / 1e9).isBetween(59.9, 60.1);
    }

    @Test
    void tokensAreCorrectedByWhatWasUsed() throws Exception {
        FakeTime time = new FakeTime();
        RateLimiter limiter = new RateLimiter(0, 6000, time, () -> 1);
        long start = time.now;
        limiter.await(100);
        assertThat(time.now).isEqualTo(start);
        limiter.await(1000);
        assertThat((time.now - start) / 1e9)
                .as("more than a second's share is waited for")
                .isBetween(9.9, 10.1);
        limiter.used(1000, 500);
        start = time.now;
        limiter.await(100);
        assertThat(time.now).as("and what was not used is there again").isEqualTo(start);
        limiter.used(100, 700);
        limiter.await(1);
        assertThat((time.now - start) / 1e9).as("as is what was used beyond").isBetween(5.9, 6.1);
    }

    @Test
    void aPauseHoldsForAll() throws Exception {
        FakeTime time = new FakeTime();
        RateLimiter limiter = new RateLimiter(0, 0, time, () -> 1);
        long start = time.now;
        limiter.pause(Duration.ofSeconds(5).toNanos());
        limiter.pause(Duration.ofSeconds(2).toNanos());
        limiter.await(0);
        assertThat(time.now - start).isEqualTo(5_000_000_000L);
    }

    @Test
    void backoffDoublesUpToItsEnd() {
        assertThat(RetryRule.backoff(1, 0.5)).isEqualTo(Duration.ofMillis(500));
        assertThat(RetryRule.backoff(2, 0)).isEqualTo(Duration.ofMillis(750));
        assertThat(RetryRule.backoff(3, 1)).isEqualTo(Duration.ofMillis(2500));
        assertThat(RetryRule.backoff(60, 0.5)).isEqualTo(Duration.ofSeconds(32));
    }

    @Test
    void theServersWishIsRead() {
        assertThat(asked("Retry-After", "7")).contains(Duration.ofSeconds(7));
        assertThat(asked("retry-after", " 1.2 ")).contains(Duration.ofSeconds(2));
        assertThat(asked("retry-after-ms", "250")).contains(Duration.ofMillis(250));
        assertThat(asked("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")).contains(Duration.ofSeconds(37));
        assertThat(asked("Retry-After", "Sun, 06 Nov 1994 08:40:37 GMT")).contains(Duration.ZERO);
        assertThat(asked("Retry-After", "-5")).contains(Duration.ZERO);
        assertThat(asked("Retry-After", "soon")).isEmpty();
        assertThat(asked("Server", "x")).isEmpty();
    }

    private static Optional<Duration> asked(String name, String value) {
        HttpHeaders headers = HttpHeaders.of(Map.of(name, List.of(value)), (_, _) -> true);
        return RetryRule.asked(headers, Instant.parse("1994-11-06T08:49:00Z"));
    }

    @Test
    void statusesThatPass() {
        for (int status : new int[] {408, 425, 429, 500, 502, 503, 504, 529}) {
            assertThat(RetryRule.isPassing(status)).as("%d", status).isTrue();
        }
        for (int status : new int[] {301, 400, 401, 403, 404, 413, 422}) {
            assertThat(RetryRule.isPassing(status)).as("%d", status).isFalse();
        }
    }

    @Test
    void pointersFollowTheirRule() {
        Object json = Map.of("a/b", List.of(1L, Map.of("m~n", "x")), "", "empty");
        assertThat(JsonPointer.of("/a~1b/1/m~0n").find(json)).isEqualTo("x");
        assertThat(JsonPointer.of("/a~1b/0").find(json)).isEqualTo(1L);
        assertThat(JsonPointer.of("/").find(json)).isEqualTo("empty");
        assertThat(JsonPointer.of("").find(json)).isEqualTo(json);
        for (String nothing : List.of("/c", "/a~1b/2", "/a~1b/01", "/a~1b/-", "/a~1b/0/x")) {
            assertThat(JsonPointer.of(nothing).find(json)).as(nothing).isSameAs(JsonPointer.NOTHING);
        }
    }
}
