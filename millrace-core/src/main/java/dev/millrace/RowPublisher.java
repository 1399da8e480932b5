package dev.millrace;

import dev.millrace.batch.Row;
import dev.millrace.iteration.CloseableIterator;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The rows of a dataset as a publisher: each subscription is a run of its own, on a thread of its own that makes all
/// calls of the subscriber.
final class RowPublisher implements Flow.Publisher<Row> {
    private final Dataset dataset;

    RowPublisher(Dataset dataset) {
        this.dataset = dataset;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Row> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        RowSubscription subscription = new RowSubscription(subscriber);
        subscription.thread = Thread.ofVirtual().name("millrace publisher").unstarted(subscription::run);
        subscription.thread.start();
    }

    private final class RowSubscription implements Flow.Subscription {
        private final Flow.Subscriber<? super Row> subscriber;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        /// Rows that were asked for and not given yet; under the lock, as the following two.
        private long demand;

        private boolean cancelled;
        private @Nullable IllegalArgumentException wrongRequest;
        /// Set before the thread starts.
        private @Nullable Thread thread;

        RowSubscription(Flow.Subscriber<? super Row> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long rows) {
            lock.lock();
            try {
                if (rows <= 0) {
                    wrongRequest = new IllegalArgumentException("A subscriber asks for 1 row or more, not for " + rows);
                } else {
                    demand = demand + rows < 0 ? Long.MAX_VALUE : demand + rows;
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /// Ends the run, also while it waits for rows.
        @Override
        public void cancel() {
            lock.lock();
            try {
                cancelled = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            Thread running = thread;
            if (running != null && !running.equals(Thread.currentThread())) {
                running.interrupt();
            }
        }

        private void run() {
            subscriber.onSubscribe(this);
            try (CloseableIterator<Row> rows = dataset.iterRows()) {
                while (!isCancelled() && rows.hasNext()) {
                    if (!awaitDemand()) {
                        return;
                    }
                    subscriber.onNext(rows.next());
                }
            } catch (Throwable e) {
                if (!isCancelled()) {
                    subscriber.onError(e);
                }
                return;
            }
            if (!isCancelled()) {
                subscriber.onComplete();
            }
        }

        private boolean isCancelled() {
            lock.lock();
            try {
                return cancelled;
            } finally {
                lock.unlock();
            }
        }

        /// Takes one row of the demand; false if the subscription was cancelled instead.
        private boolean awaitDemand() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (demand == 0 && !cancelled && wrongRequest == null) {
                    changed.await();
                }
                if (wrongRequest != null) {
                    throw wrongRequest;
                }
                demand -= demand == Long.MAX_VALUE ? 0 : 1;
                return !cancelled;
            } finally {
                lock.unlock();
            }
        }
    }
}
