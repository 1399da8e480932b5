package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.Executor;

/// Pulls a source's splits off the loop thread, a few ahead of those that were taken: the first call pulls one, so
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
    private MillraceException failure;
    /// The thread in the pull; null before and after. It looks at `closed` after it has put itself here and between any
    /// two calls of the source: a close before that found nobody to interrupt, or its interrupt was swallowed.
    private Thread puller;

    private boolean interrupted;
    /// Touched by the one pull at work only; pulls hand it over under the lock.
    private Iterator<Split> splits;

    /// @param executor runs a pull; inline in tests
    /// @param onChange called, by the pull, when there is news for the loop
    SplitFeed(Source source, SplitRequest request, Executor executor, Runnable onChange) {
        this.source = source;
        this.request = request;
        this.executor = executor;
        this.onChange = onChange;
    }

    synchronized boolean isEmpty() {
        return ready.isEmpty();
    }

    /// The next split without taking it, or null.
    synchronized Split peek() {
        return ready.peek();
    }

    /// True when all splits have been taken.
    synchronized boolean isExhausted() {
        return ready.isEmpty() && (exhausted || closed);
    }

    /// How many splits there are in all, once that is known; -1 before.
    synchronized long total() {
        return exhausted ? taken + ready.size() : -1;
    }

    synchronized MillraceException failure() {
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

    /// Starts a pull if there is room for more.
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
            if (splits == null && !isClosed()) {
                splits = source.splits(request);
            }
            while (!isClosed()) {
                boolean more = splits.hasNext();
                if (isClosed()) {
                    break;
                }
                Split next = more ? splits.next() : null;
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
                // It was meant for the source; what follows is ours.
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
            // What was taken since the last one was added found this pull still at work, and left the next to it.
            refill();
        }
        onChange.run();
    }

    /// Goes on without a pull that does not end; answers its thread, or null if none is at work.
    synchronized Thread giveUp() {
        if (!pulling) {
            return null;
        }
        pulling = false;
        return puller;
    }

    /// No more splits are wanted. A pull at work is interrupted and closes the iterator itself.
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            ready.clear();
            if (pulling) {
                if (puller != null && puller != Thread.currentThread()) {
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
