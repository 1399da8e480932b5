package dev.millrace.internal.consume;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Prefetches batches on threads of its own, one for each batch that is made ahead, up to eight. They take
/// turns to choose the rows of the next batch (`this` guards the maker), and make batches at the same time. The queue
/// has them in order, also those that are being made.
final class BatchPrefetch<B> {
    /// A batch, a failure, or, with neither, the end.
    private record Item<B>(@Nullable B batch, @Nullable Throwable failure) {}

    private static final int MAX_THREADS = 8;

    private final BatchMaker<B> maker;
    private final BlockingQueue<CompletableFuture<Item<B>>> ready;
    private final List<Thread> threads = new ArrayList<>();
    /// Written before the threads are interrupted: a maker that swallows the interrupt does not swallow this.
    private volatile boolean closed;
    /// The last batch was planned, or planning failed. Guarded by `this`.
    private boolean planned;

    private boolean ended;

    BatchPrefetch(BatchMaker<B> maker, int ahead) {
        this.maker = maker;
        this.ready = new ArrayBlockingQueue<>(ahead);
        for (int i = 0; i < Math.min(ahead, MAX_THREADS); i++) {
            threads.add(Thread.ofPlatform().daemon().name("millrace-prefetch").unstarted(this::work));
        }
        threads.forEach(Thread::start);
    }

    private void work() {
        while (true) {
            CompletableFuture<Item<B>> item = new CompletableFuture<>();
            BatchMaker.Planned<B> batch = plan(item);
            if (batch == null) {
                return;
            }
            try {
                item.complete(new Item<>(batch.make(), null));
            } catch (RuntimeException | Error e) {
                item.complete(new Item<>(null, e));
            }
        }
    }

    /// The next batch, whose place in the queue is `item`; null if there is nothing more to do.
    private synchronized BatchMaker.@Nullable Planned<B> plan(CompletableFuture<Item<B>> item) {
        if (planned || closed) {
            return null;
        }
        BatchMaker.Planned<B> batch = null;
        try {
            batch = maker.plan();
            if (batch == null) {
                item.complete(new Item<>(null, null));
            }
        } catch (RuntimeException | Error e) {
            item.complete(new Item<>(null, e));
        }
        planned = batch == null;
        if (!queue(item) && batch != null) {
            // Nobody takes it any more.
            batch.drop();
            return null;
        }
        return batch;
    }

    /// False when this is closed.
    private boolean queue(CompletableFuture<Item<B>> item) {
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

    /// The next batch, which the caller now owns; null at the end.
    @Nullable
    B next() {
        if (ended) {
            return null;
        }
        Item<B> item;
        try {
            CompletableFuture<Item<B>> next = ready.take();
            item = awaited(next);
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

    private Item<B> awaited(CompletableFuture<Item<B>> next) throws InterruptedException {
        try {
            return next.get();
        } catch (InterruptedException e) {
            // It was taken from the queue: nobody else can free it.
            var _ = next.thenAccept(this::free);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void free(Item<B> item) {
        if (item.batch != null) {
            maker.drop(item.batch);
        }
    }

    /// Ends the threads and frees finished batches. The feed must have been closed before, so that none is waiting for
    /// it.
    void close() {
        if (threads.contains(Thread.currentThread())) {
            throw MillraceException.user("An iteration, or its session, was closed inside of a function that makes its"
                    + " batches, for which the close would wait. Close it from outside.");
        }
        closed = true;
        threads.forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (CompletableFuture<Item<B>> item = ready.poll(); item != null; item = ready.poll()) {
            free(item.join());
        }
        maker.close();
        ended = true;
    }
}
