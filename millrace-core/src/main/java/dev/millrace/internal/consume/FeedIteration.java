package dev.millrace.internal.consume;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.iteration.CloseableIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An iteration over a feed that reads one element ahead, closes itself at the end and after a failure, and may be
/// closed by another thread (the session's). `this` guards what subclasses hold: the closing thread first wakes the
/// reader through the feed and then waits for it to leave.
///
/// Only two things end it without an exception: the last element, and [#close] for the thread that calls it. Reading on
/// after a failure, or after another thread has closed the iteration or what it depends on, throws each time: a loop
/// that ended there would mistake a part of the rows for all of them.
abstract class FeedIteration<T> implements CloseableIterator<T> {
    private final BlockFeed feed;
    private @Nullable T ahead;
    private boolean ended;
    private boolean exhausted;
    private @Nullable Throwable failure;
    private long handedOut;
    /// The thread that called [#close]; written before the feed is closed.
    private volatile @Nullable Thread closer;

    FeedIteration(BlockFeed feed) {
        this.feed = feed;
    }

    /// The last call of a subclass's constructor: from here on it may be closed, even immediately.
    final void opened() {
        feed.onClose(this::end);
    }

    /// The next element, or null at the end. Called with the lock.
    abstract @Nullable T advance();

    /// Frees what this holds. Called with the lock, once or more.
    abstract void release();

    /// The name of its elements in errors.
    abstract String elements();

    /// Called before an element is returned: the previous one is no longer valid.
    void handOut(T element) {}

    @Override
    public final synchronized boolean hasNext() {
        if (ahead == null && !ended) {
            try {
                ahead = advance();
                exhausted = ahead == null;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            if (ahead == null) {
                endFeed();
            }
        }
        if (ahead != null) {
            return true;
        }
        if (exhausted || Thread.currentThread().equals(closer)) {
            return false;
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> throw closedByOther();
        }
    }

    private void endFeed() {
        try {
            feed.close();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                throw e;
            }
            FailureChain.add(failure, e);
        }
    }

    private MillraceException closedByOther() {
        Thread by = closer;
        return MillraceException.user((by == null
                        ? feed.whoClosed()
                        : "The iteration was closed by the thread " + by.getName() + " while another one read it")
                + ", after " + handedOut + " " + elements() + ". What was left was not read.");
    }

    @Override
    public final synchronized T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The iteration is at its end, or closed.");
        }
        T element = Objects.requireNonNull(ahead, "hasNext has found one");
        ahead = null;
        handedOut++;
        feed.handedOut();
        handOut(element);
        return element;
    }

    private synchronized void end() {
        ended = true;
        ahead = null;
        release();
    }

    @Override
    public final void close() {
        closer = Thread.currentThread();
        feed.close();
    }
}
