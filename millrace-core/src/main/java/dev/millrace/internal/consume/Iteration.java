package dev.millrace.internal.consume;

import dev.millrace.iteration.CloseableIterator;
import java.util.NoSuchElementException;

/// An iteration over a feed that reads one element ahead, closes itself at the end and after a failure, and may be
/// closed by another thread (the session's). `this` guards what subclasses hold: the closing thread first wakes the
/// reader through the feed and then waits for it to leave.
abstract class Iteration<T> implements CloseableIterator<T> {
    private final BlockFeed feed;
    private T ahead;
    private boolean ended;

    Iteration(BlockFeed feed) {
        this.feed = feed;
        feed.onClose(this::end);
    }

    /// The next element, or null at the end. Called with the lock.
    abstract T advance();

    /// Frees what this holds. Called with the lock, once or more.
    abstract void release();

    /// Called before an element is handed out: the one before is no longer valid.
    void handOut(T element) {}

    @Override
    public final synchronized boolean hasNext() {
        if (ahead == null && !ended) {
            try {
                ahead = advance();
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
            if (ahead == null) {
                close();
            }
        }
        return ahead != null;
    }

    @Override
    public final synchronized T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The iteration is at its end, or closed.");
        }
        T element = ahead;
        ahead = null;
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
        feed.close();
    }
}
