package dev.millrace.internal.models.http;

import org.jspecify.annotations.Nullable;

/// Limits the requests and the model tokens per minute, and observes a pause that a server has requested. Thread-safe.
final class RateLimiter {
    private final WaitClock time;
    /// Null: no limit.
    private final @Nullable TokenBucket requests;

    private final @Nullable TokenBucket tokens;
    private long pausedUntil;

    /// @param requestsPerMinute 0: no limit; likewise for tokens
    RateLimiter(double requestsPerMinute, double tokensPerMinute, WaitClock time) {
        this.time = time;
        long now = time.nanos();
        this.pausedUntil = now;
        this.requests = requestsPerMinute > 0 ? new TokenBucket(requestsPerMinute, now) : null;
        this.tokens = tokensPerMinute > 0 ? new TokenBucket(tokensPerMinute, now) : null;
    }

    /// Waits until one more request may be sent.
    ///
    /// @param estimate its estimated number of tokens
    void await(long estimate) throws InterruptedException {
        long wait = reserve(estimate);
        while (wait > 0) {
            time.sleep(wait);
            wait = pause();
        }
    }

    private synchronized long reserve(long estimate) {
        long now = time.nanos();
        long wait = Math.max(0, pausedUntil - now);
        if (requests != null) {
            wait = Math.max(wait, requests.take(1, now));
        }
        if (tokens != null) {
            wait = Math.max(wait, tokens.take((double) estimate, now));
        }
        return wait;
    }

    private synchronized long pause() {
        return Math.max(0, pausedUntil - time.nanos());
    }

    /// Holds back all requests for this long.
    synchronized void pause(long nanos) {
        pausedUntil = Math.max(pausedUntil, time.nanos() + nanos);
    }

    /// Corrects the estimate by the actual number of tokens of a request.
    synchronized void used(long estimate, long actual) {
        if (tokens != null) {
            tokens.giveBack((double) (estimate - actual), time.nanos());
        }
    }
}
