package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.SplitDivision;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Pulls a source's splits outside the loop thread, a few ahead of those that were taken: the first call pulls one, so
/// that a look at a huge dataset lists little of it. Thread-safe: the loop takes, one pull at a time fills.
final class SplitFeed {
    private static final int MAX_AHEAD = 32;

    private final Source source;
    private final SplitRequest request;
    private final Executor executor;
    private final Runnable onChange;
    private final ArrayDeque<Split> ready = new ArrayDeque<>();
    private long taken;
    private boolean pulling;
    private boolean exhausted;
    private boolean closed;
    private @Nullable MillraceException failure;
    /// The thread that pulls; null before and after. It checks `closed` after it has registered itself here and between
    /// any two calls of the source: an earlier close found no thread to interrupt, or its interrupt was swallowed.
    private @Nullable Thread puller;

    private boolean interrupted;
    /// Used only by the single running pull; pulls pass it on under the lock.
    private @Nullable Iterator<Split> splits;

    /// @param executor runs a pull; inline in tests
    /// @param onChange called, by the pull, when there is something new for the loop
    SplitFeed(Source source, SplitRequest request, Executor executor, Runnable onChange) {
        this.source = source;
        this.request = request;
        this.executor = executor;
        this.onChange = onChange;
    }

    synchronized boolean isEmpty() {
        return ready.isEmpty();
    }

    /// The next split without removing it, or null.
    synchronized @Nullable Split peek() {
        return ready.peek();
    }

    /// True when all splits have been taken.
    synchronized boolean isExhausted() {
        return ready.isEmpty() && (exhausted || closed);
    }

    /// The total number of splits, once that is known; -1 before.
    synchronized long total() {
        return exhausted ? taken + ready.size() : -1;
    }

    synchronized @Nullable MillraceException failure() {
        return failure;
    }

    /// True while a pull runs.
    synchronized boolean isPulling() {
        return pulling;
    }

    Split take() {
        Split split;
        synchronized (this) {
            split = ready.poll();
            taken++;
        }
        refill();
        return split;
    }

    /// Starts a pull if more splits may be queued.
    void refill() {
        synchronized (this) {
            if (pulling || exhausted || closed || ready.size() > room() / 2) {
                return;
            }
            pulling = true;
        }
        executor.execute(this::pull);
    }

    private int room() {
        return (int) Math.min(MAX_AHEAD, taken * 2 + 1);
    }

    private void pull() {
        synchronized (this) {
            puller = Thread.currentThread();
        }
        MillraceException thrown = null;
        try (TaskCancellation.Scope _ = TaskCancellation.enter(this::isClosed)) {
            Iterator<Split> listed = splits;
            if (listed == null && !isClosed()) {
                listed = SplitDivision.splits(source, request);
                splits = listed;
            }
            while (listed != null && !isClosed()) {
                boolean more = listed.hasNext();
                if (isClosed()) {
                    break;
                }
                Split next = more ? listed.next() : null;
                synchronized (this) {
                    if (next == null) {
                        exhausted = true;
                    } else if (!closed) {
                        ready.add(next);
                    }
                    if (next == null || closed || ready.size() >= room()) {
                        break;
                    }
                }
                onChange.run();
            }
        } catch (MillraceException e) {
            thrown = e;
        } catch (Throwable e) {
            thrown = new MillraceException(Culprit.USER, source.name() + ": its splits could not be listed: " + e, e);
        }
        boolean end;
        synchronized (this) {
            puller = null;
            if (interrupted) {
                // The interrupt was meant for the source; the following code is ours.
                var _ = Thread.interrupted();
            }
            if (thrown != null) {
                exhausted = true;
                failure = closed ? null : thrown;
            }
            end = closed || exhausted;
            pulling = false;
        }
        if (end) {
            closeIterator();
        } else {
            // A take since the last addition found this pull still running, and did not start the next one.
            refill();
        }
        onChange.run();
    }

    /// Abandons a pull that does not end; returns its thread, or null if none runs.
    synchronized @Nullable Thread giveUp() {
        if (!pulling) {
            return null;
        }
        pulling = false;
        return puller;
    }

    /// No more splits are wanted. A running pull is interrupted and closes the iterator itself.
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            ready.clear();
            if (pulling) {
                if (puller != null && !puller.equals(Thread.currentThread())) {
                    interrupted = true;
                    puller.interrupt();
                }
                return;
            }
        }
        closeIterator();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void closeIterator() {
        Iterator<Split> open;
        synchronized (this) {
            open = splits;
            splits = null;
        }
        if (open instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                System.getLogger(SplitFeed.class.getName())
                        .log(System.Logger.Level.WARNING, source.name() + ": its splits could not be closed", e);
            }
        }
    }
}
