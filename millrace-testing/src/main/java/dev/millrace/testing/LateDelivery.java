package dev.millrace.testing;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Runs actions on one thread, each after a random delay. Actions of one [Lane] keep their order; others overtake each
/// other. Never runs an action on the caller's thread.
final class LateDelivery {
    private static final System.Logger LOG = System.getLogger(LateDelivery.class.getName());

    /// Actions that keep their order; guarded by the monitor of the delivery.
    static final class Lane {
        private long last = Long.MIN_VALUE;
    }

    private record Due(long time, long number, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final long maxDelayNanos;
    private final SplittableRandom random;
    private final long start = System.nanoTime();
    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private final Thread thread;
    private long number;
    private boolean closed;

    LateDelivery(long seed, int maxDelayMicros) {
        this.random = new SplittableRandom(seed);
        this.maxDelayNanos = maxDelayMicros * 1000L;
        this.thread = Thread.ofPlatform().name("faulty-delivery").daemon().start(this::deliver);
    }

    synchronized void send(Lane lane, Runnable action) {
        // Most actions are not delayed, so that they overtake the delayed ones.
        long delay = maxDelayNanos > 0 && random.nextInt(3) == 0 ? random.nextLong(maxDelayNanos) : 0;
        lane.last = Math.max(lane.last, now() + delay);
        queue.add(new Due(lane.last, number++, action));
        notifyAll();
    }

    private long now() {
        return System.nanoTime() - start;
    }

    private void deliver() {
        try {
            for (Due next = next(); next != null; next = next()) {
                try {
                    next.action.run();
                } catch (RuntimeException | Error e) {
                    LOG.log(System.Logger.Level.ERROR, "a receiver of events threw", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Due next() throws InterruptedException {
        while (true) {
            Due first = queue.peek();
            if (first == null) {
                if (closed) {
                    return null;
                }
                wait();
            } else {
                long nanos = first.time - now();
                if (nanos <= 0 || closed) {
                    return queue.poll();
                }
                wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
            }
        }
    }

    /// Runs the remaining actions without delay and ends.
    void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
