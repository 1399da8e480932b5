package dev.millrace.internal.consume;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// Prefetches batches on a thread of its own. The queue passes each batch from one thread to the other; only the
/// prefetch thread uses the maker until it has ended.
final class BatchPrefetch<B> {
    /// A batch, a failure, or, with neither, the end.
    private record Item<B>(@Nullable B batch, @Nullable Throwable failure) {}

    private final BatchMaker<B> maker;
    private final BlockingQueue<Item<B>> ready;
    private final Thread thread;
    /// Written before the thread is interrupted: a maker that swallows the interrupt does not swallow this.
    private volatile boolean closed;

    private boolean ended;

    BatchPrefetch(BatchMaker<B> maker, int ahead) {
        this.maker = maker;
        this.ready = new ArrayBlockingQueue<>(ahead);
        this.thread = Thread.ofPlatform().daemon().name("millrace-prefetch").start(this::work);
    }

    private void work() {
        try {
            while (true) {
                Item<B> item = make();
                if (!hand(item)) {
                    // Nobody takes it any more.
                    if (item.batch != null) {
                        maker.drop(item.batch);
                    }
                    return;
                }
                if (item.batch == null) {
                    return;
                }
            }
        } finally {
            maker.close();
        }
    }

    /// False when this is closed.
    private boolean hand(Item<B> item) {
        try {
            if (!closed) {
                ready.put(item);
                return true;
            }
        } catch (InterruptedException _) {
            // Closed while it waited for room in the queue.
        }
        return false;
    }

    private Item<B> make() {
        try {
            return new Item<>(maker.next(), null);
        } catch (RuntimeException | Error e) {
            return new Item<>(null, e);
        }
    }

    /// The next batch, which the caller now owns; null at the end.
    @Nullable
    B next() {
        if (ended) {
            return null;
        }
        Item<B> item;
        try {
            item = ready.take();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw MillraceException.user("The thread was interrupted while it waited for a batch.");
        }
        ended = item.batch == null;
        return switch (item.failure) {
            case null -> item.batch;
            case MillraceException e -> throw CallerStack.of(e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        };
    }

    /// Ends the thread and frees finished batches. The feed must have been closed before, so that the thread is not
    /// waiting for it.
    void close() {
        if (Thread.currentThread().equals(thread)) {
            throw MillraceException.user("An iteration, or its session, was closed inside of a function that makes its"
                    + " batches, for which the close would wait. Close it from outside.");
        }
        closed = true;
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (Item<B> item = ready.poll(); item != null; item = ready.poll()) {
            if (item.batch != null) {
                maker.drop(item.batch);
            }
        }
        ended = true;
    }
}
