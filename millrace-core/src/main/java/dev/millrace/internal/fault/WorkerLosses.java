package dev.millrace.internal.fault;

import java.time.Duration;
import java.util.ArrayDeque;

/// The workers that were lost while they ran one piece of work, and which of them count against it. A function that
/// ends its process does so whenever it is tried; machines that are taken away (spot instances, updates) leave rarely.
/// So losses are forgotten after [#WINDOW], except that [#MAX_EVER] of them are too many however rare they were: work
/// that takes longer than the window and then ends its process is not tried for ever. One thread at a time.
public final class WorkerLosses {
    static final Duration WINDOW = Duration.ofMinutes(10);
    static final int MAX_EVER = 10;

    private final ArrayDeque<Long> recent = new ArrayDeque<>(RetryRule.MAX_LOST_WORKERS);
    private int all;

    /// @param now in nanoseconds of a clock that does not go back
    public void add(long now) {
        all++;
        while (!recent.isEmpty() && now - recent.getFirst() > WINDOW.toNanos()) {
            recent.removeFirst();
        }
        recent.addLast(now);
    }

    /// Those that count, as of the last loss: to be compared with [RetryRule#MAX_LOST_WORKERS].
    public int counted() {
        return all >= MAX_EVER ? all : recent.size();
    }
}
