package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.Settings;
import dev.millrace.stats.RunStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// Distributes the runs of a dataset over several consumers, epoch by epoch. An epoch begins when every shard that is
/// still open has requested it; the last request starts the run, of which each shard gets a view. `this` guards the
/// barrier.
public final class StreamingSplit {
    /// Other shards may be busy with what they read before: a warning is logged only after this.
    private static final Duration TELL_AFTER = Duration.ofSeconds(10);

    private final Settings settings;
    private final SessionExecutions executions;
    private final SplitRuns runs;
    /// The iteration that waits for the next epoch, per shard.
    private final ShardFeed[] waiting;

    private final boolean[] gone;
    /// The number of epochs that have begun.
    private int epochs;
    /// How much was read of each shard: written by its reader, read by shards that wait for it.
    private final AtomicLongArray activity;

    private StreamingSplit(int consumers, Settings settings, SessionExecutions executions, SplitRuns runs) {
        this.settings = settings;
        this.executions = executions;
        this.runs = runs;
        this.waiting = new ShardFeed[consumers];
        this.gone = new boolean[consumers];
        this.activity = new AtomicLongArray(consumers);
    }

    /// What a shard got of an epoch so far.
    ///
    /// @param shards the number of them
    /// @param epoch from 1
    /// @param run which all shards share
    public record ShardEpoch(int shards, int epoch, long rows, long blocks, RunStats run) {}

    /// Starts a dataset again.
    public interface SplitRuns {
        /// @param readers the number of views
        /// @param batchRows rows of the batches that all of them cut; 0: not known, or not the same
        List<DatasetExecution> start(int readers, long batchRows);
    }

    public static List<SplitShard> shards(
            int consumers, Settings settings, SessionExecutions executions, SplitRuns runs) {
        StreamingSplit split = new StreamingSplit(consumers, settings, executions, runs);
        List<SplitShard> shards = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            shards.add(split.new SplitShard(i));
        }
        return List.copyOf(shards);
    }

    /// Waits until all shards have requested the epoch, then returns this one's view of the run they share.
    private synchronized DatasetExecution begin(ShardFeed feed) {
        if (!feed.closed) {
            waiting[feed.index] = feed;
            startIfAllAsk();
        }
        ShardWait patience = new ShardWait(feed.index);
        while (feed.view == null && !feed.closed && feed.failure == null) {
            try {
                wait(patience.millis());
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
        return Objects.requireNonNull(feed.view, "an epoch that began has a run");
    }

    /// A shard that waits for the others. It logs a warning when they show no activity for a while, and gives up when
    /// they were inactive for so long that they must be gone. Used with the split's lock.
    private final class ShardWait {
        private final int index;
        private long silentSince = System.nanoTime();
        private long heard = heardOfMissing();
        private boolean told;

        ShardWait(int index) {
            this.index = index;
        }

        /// How long to wait before the next check.
        ///
        /// @throws MillraceException when it was too long
        long millis() {
            long now = System.nanoTime();
            long nowHeard = heardOfMissing();
            if (nowHeard != heard) {
                heard = nowHeard;
                silentSince = now;
            }
            long silent = TimeUnit.NANOSECONDS.toMillis(now - silentSince);
            long most = settings.faults().stallTimeout().toMillis();
            long tellAt = Math.min(TELL_AFTER.toMillis(), most / 2);
            if (silent >= most) {
                throw MillraceException.user(words(silent));
            }
            if (silent >= tellAt && !told) {
                told = true;
                System.getLogger(StreamingSplit.class.getName()).log(System.Logger.Level.WARNING, words(silent));
            }
            return Math.max(1, (told ? most : tellAt) - silent);
        }

        private long heardOfMissing() {
            long sum = 0;
            for (int shard : missing()) {
                sum += 1 + activity.get(shard);
            }
            return sum;
        }

        private String words(long silent) {
            List<String> names =
                    missing().stream().map(shard -> "shard " + shard).toList();
            return "streamingSplit: shard " + index + " waits for the next epoch, for which " + String.join(", ", names)
                    + (names.size() == 1 ? " has" : " have") + " not asked; nothing was read there for "
                    + silent / 1000.0
                    + " s. Read every shard, each on a thread of its own, and close those that nobody reads.";
        }
    }

    /// The shards that have not asked for the next epoch and are not closed. With the lock.
    private List<Integer> missing() {
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < waiting.length; i++) {
            if (waiting[i] == null && !gone[i]) {
                missing.add(i);
            }
        }
        return missing;
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
        List<DatasetExecution> views = List.of();
        RuntimeException failed = null;
        try {
            views = runs.start(asking.size(), sameBatches(asking));
        } catch (RuntimeException e) {
            failed = e;
        }
        epochs++;
        for (int i = 0; i < asking.size(); i++) {
            ShardFeed feed = asking.get(i);
            feed.view = failed == null ? views.get(i) : null;
            feed.failure = failed;
            feed.epoch = epochs;
            waiting[feed.index] = null;
        }
        notifyAll();
    }

    private static long sameBatches(List<ShardFeed> asking) {
        long rows = asking.getFirst().batchRows;
        return asking.stream().allMatch(feed -> feed.batchRows == rows) ? rows : 0;
    }

    private synchronized void leaveForGood(int index) {
        gone[index] = true;
        startIfAllAsk();
    }

    /// One consumer's part, epoch by epoch. `this` guards what it holds.
    public final class SplitShard implements AutoCloseable {
        private final int index;
        private @Nullable ShardFeed current;
        /// The latest before the current one whose epoch began; null if there is none.
        private @Nullable ShardFeed previous;

        private boolean closed;

        private SplitShard(int index) {
            this.index = index;
        }

        public int index() {
            return index;
        }

        public CloseableIterator<Batch> iterBatches(BatchOptions options) {
            return BatchIteration.over(newFeed(options.knownRows()), options.or(settings.iteration()));
        }

        public CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options) {
            return TensorIteration.over(
                    newFeed(options.batches().knownRows()), options.batches().or(settings.iteration()), options);
        }

        public CloseableIterator<Row> iterRows() {
            return RowIteration.over(newFeed(0));
        }

        /// This shard's blocks of the next epoch, kept.
        public HeldBlocks materialize() {
            try (ShardFeed feed = newFeed(0)) {
                return DatasetMetadata.materialize(begin(feed), executions, feed::received);
            }
        }

        /// The epoch that was begun last; empty if there was none.
        public Optional<ShardEpoch> latest() {
            ShardFeed feed;
            ShardFeed before;
            synchronized (this) {
                feed = current;
                before = previous;
            }
            return feed == null
                    ? Optional.empty()
                    : feed.soFar().or(() -> before == null ? Optional.empty() : before.soFar());
        }

        private synchronized ShardFeed newFeed(long batchRows) {
            if (closed) {
                throw MillraceException.user("Shard " + index + " was closed: it takes no part in further epochs.");
            }
            if (current != null) {
                current.close("Shard " + index + " began another iteration while this one was being read");
            }
            if (current != null && current.hasBegun()) {
                previous = current;
            }
            current = new ShardFeed(index, batchRows);
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
        /// Of the batches that its reader cuts; 0: not known.
        private final long batchRows;

        private final Allocator account;
        private final CloseActions releases = new CloseActions();
        /// Set by the shard that starts the epoch, under the split's lock; so are `failure` and `closed`.
        private @Nullable DatasetExecution view;

        private @Nullable RuntimeException failure;
        private int epoch;
        private boolean closed;
        /// What was read: written by the reading thread, read by any.
        private final AtomicLong rows = new AtomicLong();

        private final AtomicLong blocks = new AtomicLong();
        /// The reason of [#close], for a thread that is still reading.
        private volatile String closing = "The iteration was closed while it was being read";
        /// Used only by the reading thread.
        private @Nullable DatasetExecution reading;

        ShardFeed(int index, long batchRows) {
            this.index = index;
            this.batchRows = batchRows;
            this.account = executions.memory().child("shard " + index, Patience.CONSUMER);
            executions.register(this);
        }

        @Override
        public @Nullable Block next() {
            if (reading == null) {
                reading = begin(this);
            }
            Block block = reading.next();
            if (block != null) {
                count(block.rows());
            }
            return block;
        }

        /// A reader that takes blocks without an iteration got one.
        void received(BlockSlice slice) {
            count(slice.rows());
            handedOut();
        }

        private void count(long more) {
            rows.addAndGet(more);
            blocks.incrementAndGet();
        }

        boolean hasBegun() {
            synchronized (StreamingSplit.this) {
                return view != null;
            }
        }

        /// Empty if its epoch has not begun.
        Optional<ShardEpoch> soFar() {
            DatasetExecution begun;
            int number;
            synchronized (StreamingSplit.this) {
                begun = view;
                number = epoch;
            }
            return begun == null
                    ? Optional.empty()
                    : Optional.of(new ShardEpoch(waiting.length, number, rows.get(), blocks.get(), begun.stats()));
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
        public void handedOut() {
            activity.setOpaque(index, activity.getPlain(index) + 1);
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
            DatasetExecution left;
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
