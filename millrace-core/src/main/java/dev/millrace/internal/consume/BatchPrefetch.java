package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// Makes batches ahead of their consumer on a thread of its own. The queue hands each block over from one thread to the
/// other; only that thread uses the cutter until it has ended.
final class BatchPrefetch {
    /// A batch, a failure, or, with neither, the end.
    private record Item(Block batch, Throwable failure) {}

    private final BatchCutter cutter;
    private final BlockingQueue<Item> ready;
    private final Thread thread;
    private boolean ended;

    BatchPrefetch(BatchCutter cutter, int ahead) {
        this.cutter = cutter;
        this.ready = new ArrayBlockingQueue<>(ahead);
        this.thread = Thread.ofPlatform().daemon().name("millrace-prefetch").start(this::work);
    }

    private void work() {
        try {
            while (true) {
                Item item = make();
                try {
                    ready.put(item);
                } catch (InterruptedException _) {
                    // Closed: nobody takes it any more.
                    if (item.batch != null) {
                        item.batch.close();
                    }
                    return;
                }
                if (item.batch == null) {
                    return;
                }
            }
        } finally {
            cutter.close();
        }
    }

    private Item make() {
        try {
            return new Item(cutter.next(), null);
        } catch (RuntimeException | Error e) {
            return new Item(null, e);
        }
    }

    /// The next batch, which the caller closes; null at the end.
    Block next() {
        if (ended) {
            return null;
        }
        Item item;
        try {
            item = ready.take();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw MillraceException.user("The thread was interrupted while it waited for a batch.");
        }
        ended = item.batch == null;
        return switch (item.failure) {
            case null -> item.batch;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        };
    }

    /// Ends the thread and frees what is ready. The feed must have been closed before, so that the thread is not
    /// waiting for it.
    void close() {
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
        for (Item item = ready.poll(); item != null; item = ready.poll()) {
            if (item.batch != null) {
                item.batch.close();
            }
        }
        ended = true;
    }
}
