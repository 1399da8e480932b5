package dev.millrace.internal.models.http;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Limits the requests and the model tokens per minute, and observes a pause that a server has requested. Where several
/// nodes send requests to the same model, each has an equal part of the limits. Thread-safe.
final class RateLimiter {
    private final WaitClock time;
    private final IntSupplier nodes;
    /// Null: no limit.
    private final @Nullable TokenBucket requests;

    private final @Nullable TokenBucket tokens;
    private int sharedBy;
    private long pausedUntil;

    /// What a caller waits for: the amounts that must have been granted before it, and its own.
    private record Ticket(double requests, double tokens) {}

    /// @param requestsPerMinute 0: no limit; likewise for tokens
    /// @param nodes how many share the limits now; asked again for each request
    RateLimiter(double requestsPerMinute, double tokensPerMinute, WaitClock time, IntSupplier nodes) {
        this.time = time;
        this.nodes = nodes;
        long now = time.nanos();
        this.pausedUntil = now;
        this.sharedBy = Math.max(1, nodes.getAsInt());
        this.requests = requestsPerMinute > 0 ? new TokenBucket(requestsPerMinute, sharedBy, now) : null;
        this.tokens = tokensPerMinute > 0 ? new TokenBucket(tokensPerMinute, sharedBy, now) : null;
    }

    /// Waits until one more request may be sent.
    ///
    /// @param estimate its estimated number of tokens
    void await(long estimate) throws InterruptedException {
        Ticket ticket = reserve(estimate);
        for (long wait = left(ticket); wait > 0; wait = left(ticket)) {
            time.sleep(wait);
        }
    }

    private synchronized Ticket reserve(long estimate) {
        long now = time.nanos();
        divide(now);
        return new Ticket(
                requests == null ? 0 : requests.take(1, now), tokens == null ? 0 : tokens.take((double) estimate, now));
    }

    /// Nanoseconds until it may be used, if the number of nodes stays what it is.
    private synchronized long left(Ticket ticket) {
        long now = time.nanos();
        divide(now);
        long wait = Math.max(0, pausedUntil - now);
        if (requests != null) {
            wait = Math.max(wait, requests.left(ticket.requests, now));
        }
        if (tokens != null) {
            wait = Math.max(wait, tokens.left(ticket.tokens, now));
        }
        return wait;
    }

    private void divide(long now) {
        int shares = Math.max(1, nodes.getAsInt());
        if (shares != sharedBy) {
            sharedBy = shares;
            if (requests != null) {
                requests.share(shares, now);
            }
            if (tokens != null) {
                tokens.share(shares, now);
            }
        }
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
