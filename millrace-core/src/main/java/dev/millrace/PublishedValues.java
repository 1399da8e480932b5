package dev.millrace;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The values of a publisher as an iterator: subscribes when the first value is wanted, asks for few values ahead, and
/// cancels when the stream is closed. The publisher's threads call the subscriber, one other thread the iterator.
final class PublishedValues implements Flow.Subscriber<Object>, Iterator<Object> {
    /// How many values may be on their way.
    private static final int WINDOW = 256;

    private final Flow.Publisher<?> publisher;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /// Under the lock, as all that follows.
    private final ArrayDeque<Object> values = new ArrayDeque<>();

    private Flow.@Nullable Subscription subscription;
    private @Nullable Throwable failure;
    private boolean subscribed;
    private boolean ended;
    private boolean closed;
    /// Values that were taken since the last request.
    private int taken;

    private PublishedValues(Flow.Publisher<?> publisher) {
        this.publisher = publisher;
    }

    static Stream<Object> stream(Flow.Publisher<?> publisher) {
        PublishedValues values = new PublishedValues(publisher);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(values, Spliterator.ORDERED), false)
                .onClose(values::close);
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
        lock.lock();
        try {
            if (subscription != null || closed) {
                made.cancel();
                return;
            }
            subscription = made;
        } finally {
            lock.unlock();
        }
        made.request(WINDOW);
    }

    @Override
    public void onNext(Object value) {
        lock.lock();
        try {
            values.add(value);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        end(thrown);
    }

    @Override
    public void onComplete() {
        end(null);
    }

    private void end(@Nullable Throwable thrown) {
        lock.lock();
        try {
            failure = thrown;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean hasNext() {
        boolean first;
        lock.lock();
        try {
            first = !subscribed;
            subscribed = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            publisher.subscribe(this);
        }
        return awaitValue();
    }

    private boolean awaitValue() {
        lock.lock();
        try {
            while (values.isEmpty() && !ended && !closed) {
                changed.await();
            }
            if (values.isEmpty() && failure != null) {
                throw new MillraceException(Culprit.USER, "The publisher failed: " + failure, failure);
            }
            return !values.isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.USER, "Waiting for a publisher's next value was interrupted.", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Object value;
        Flow.Subscription more = null;
        lock.lock();
        try {
            value = values.remove();
            if (++taken == WINDOW / 2) {
                taken = 0;
                more = subscription;
            }
        } finally {
            lock.unlock();
        }
        if (more != null) {
            more.request(WINDOW / 2);
        }
        return value;
    }

    private void close() {
        Flow.Subscription open;
        lock.lock();
        try {
            closed = true;
            open = subscription;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.cancel();
        }
    }
}
