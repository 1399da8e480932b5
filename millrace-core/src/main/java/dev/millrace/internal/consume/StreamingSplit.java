package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.CallerStack;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.Shard;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import dev.millrace.settings.IterationSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Hands the runs of a dataset to several consumers, epoch by epoch. An epoch begins when every shard that is still
/// open
/// has asked for it; whoever asks last starts the run, of which each gets a view. `this` guards the barrier.
public final class StreamingSplit {
    private final IterationSettings settings;
    private final Executions executions;
    private final IntFunction<List<Execution>> runs;
    /// The iteration that waits for the next epoch, per shard.
    private final ShardFeed[] waiting;

    private final boolean[] gone;

    private StreamingSplit(
            int consumers, IterationSettings settings, Executions executions, IntFunction<List<Execution>> runs) {
        this.settings = settings;
        this.executions = executions;
        this.runs = runs;
        this.waiting = new ShardFeed[consumers];
        this.gone = new boolean[consumers];
    }

    /// @param runs starts the dataset anew, with views for so many consumers
    public static List<Shard> shards(
            int consumers, IterationSettings settings, Executions executions, IntFunction<List<Execution>> runs) {
        StreamingSplit split = new StreamingSplit(consumers, settings, executions, runs);
        List<Shard> shards = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            shards.add(split.new Part(i));
        }
        return List.copyOf(shards);
    }

    /// Waits until all have asked, then gives this one its view of the run they share.
    private synchronized Execution begin(ShardFeed feed) {
        if (!feed.closed) {
            waiting[feed.index] = feed;
            startIfAllAsk();
        }
        while (feed.view == null && !feed.closed && feed.failure == null) {
            try {
                wait();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw MillraceException.user("The thread was interrupted while its shard waited for the next epoch.");
            }
        }
        if (feed.failure != null) {
            throw feed.failure instanceof MillraceException told ? CallerStack.of(told) : feed.failure;
        }
        if (feed.closed) {
            throw MillraceException.user(feed.whoClosed() + ": it waited for the next epoch.");
        }
        return feed.view;
    }

    private void startIfAllAsk() {
        List<ShardFeed> asking = new ArrayList<>();
        for (int i = 0; i < waiting.length; i++) {
            if (waiting[i] != null) {
                asking.add(waiting[i]);
            } else if (!gone[i]) {
                return;
            }
        }
        if (!asking.isEmpty()) {
            start(asking);
        }
    }

    private void start(List<ShardFeed> asking) {
        List<Execution> views = List.of();
        RuntimeException failed = null;
        try {
            views = runs.apply(asking.size());
        } catch (RuntimeException e) {
            failed = e;
        }
        for (int i = 0; i < asking.size(); i++) {
            ShardFeed feed = asking.get(i);
            feed.view = failed == null ? views.get(i) : null;
            feed.failure = failed;
            waiting[feed.index] = null;
        }
        notifyAll();
    }

    private synchronized void leaveForGood(int index) {
        gone[index] = true;
        startIfAllAsk();
    }

    private final class Part implements Shard {
        private final int index;
        private ShardFeed current;
        private boolean closed;

        Part(int index) {
            this.index = index;
        }

        @Override
        public int index() {
            return index;
        }

        @Override
        public CloseableIterator<Batch> iterBatches() {
            return iterBatches(BatchOptions.defaults());
        }

        @Override
        public CloseableIterator<Batch> iterBatches(BatchOptions options) {
            return BatchIteration.over(newFeed(), options.or(settings));
        }

        @Override
        public CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options) {
            return TensorIteration.over(newFeed(), options.batches().or(settings), options);
        }

        @Override
        public CloseableIterator<Row> iterRows() {
            return RowIteration.over(newFeed());
        }

        private synchronized ShardFeed newFeed() {
            if (closed) {
                throw MillraceException.user("Shard " + index + " was closed: it takes no part in further epochs.");
            }
            if (current != null) {
                current.close("Shard " + index + " began another iteration while this one was being read");
            }
            current = new ShardFeed(index);
            return current;
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (current != null) {
                current.close("Shard " + index + " was closed while an iteration of it was being read");
            }
            leaveForGood(index);
        }
    }

    /// One shard's part of one epoch.
    private final class ShardFeed implements BlockFeed {
        private final int index;
        private final Allocator account;
        private final CloseActions releases = new CloseActions();
        /// Set by whoever starts the epoch, under the split's lock; so are `failure` and `closed`.
        private Execution view;

        private RuntimeException failure;
        private boolean closed;
        /// How [#close] came about, for whoever is still reading.
        private volatile String closing = "The iteration was closed while it was being read";
        /// Only the reading thread touches this.
        private Execution reading;

        ShardFeed(int index) {
            this.index = index;
            this.account = executions.memory().child("shard " + index, Patience.CONSUMER);
            executions.register(this);
        }

        @Override
        public Block next() {
            if (reading == null) {
                reading = begin(this);
            }
            return reading.next();
        }

        @Override
        public Allocator account() {
            return account;
        }

        @Override
        public void onClose(Runnable release) {
            releases.add(release);
        }

        @Override
        public String whoClosed() {
            return executions.isClosed()
                    ? "The session was closed while shard " + index + " of a split was being read"
                    : closing;
        }

        @Override
        public boolean isCostly() {
            return executions.runtime().shipsPrograms();
        }

        void close(String because) {
            closing = because;
            close();
        }

        @Override
        public void close() {
            Execution left;
            synchronized (StreamingSplit.this) {
                if (closed) {
                    return;
                }
                closed = true;
                if (waiting[index] == this) {
                    waiting[index] = null;
                }
                left = view;
                StreamingSplit.this.notifyAll();
            }
            try {
                if (left != null) {
                    left.close();
                }
            } finally {
                try {
                    releases.run();
                    account.close();
                } finally {
                    executions.forget(this);
                }
            }
        }
    }
}
