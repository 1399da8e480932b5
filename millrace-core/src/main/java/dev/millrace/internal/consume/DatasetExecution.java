package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.engine.PlanRun;
import dev.millrace.internal.fault.ThreadPlace;
import dev.millrace.internal.operator.RunClosed;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.stats.RunStats;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run with its consumer: returns its blocks, holds references to the blocks its plan starts from, and has the
/// account for what the consumer copies. [#close] cancels what still runs and frees everything.
public final class DatasetExecution implements BlockFeed {
    private final SessionExecutions owner;
    private final PlanRun run;
    private final Runtime runtime;
    private final Allocator account;
    private final List<BlockSlice> inputs;
    private final Set<String> deadLetters;
    private final Duration patience;
    private final Consumer<RunStats> onEnd;
    private final CloseActions releases = new CloseActions();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    /// Written before `reader` is read, as a reader writes `reader` before it reads this: one of them sees the other.
    private volatile boolean closed;
    /// The thread of a call that reads to the end; null for iterations, which may be abandoned.
    private volatile @Nullable Thread reader;

    /// @param patience how long a reader has to release its rows after this was closed
    DatasetExecution(
            SessionExecutions owner,
            PlanRun run,
            Runtime runtime,
            Allocator account,
            List<BlockSlice> inputs,
            Set<String> deadLetters,
            Duration patience,
            Consumer<RunStats> onEnd) {
        this.owner = owner;
        this.run = run;
        this.runtime = runtime;
        this.account = account;
        this.inputs = inputs;
        this.deadLetters = deadLetters;
        this.patience = patience;
        this.onEnd = onEnd;
    }

    /// For a call that reads to the end on this thread and then closes this: another thread that closes it meanwhile
    /// wakes the reader, and waits until it has released its blocks and closed this itself.
    DatasetExecution attended() {
        reader = Thread.currentThread();
        return this;
    }

    boolean isReadByThisThread() {
        return Thread.currentThread().equals(reader);
    }

    /// The next block as a reference, which the caller releases; null at the end.
    public @Nullable BlockSlice nextSlice() {
        if (closed) {
            throw closedByOther(null);
        }
        try {
            return run.next();
        } catch (RunClosed e) {
            throw closedByOther(e);
        }
    }

    private MillraceException closedByOther(@Nullable RunClosed cause) {
        return new MillraceException(Culprit.USER, whoClosed() + ". What was left was not read.", cause);
    }

    @Override
    public String whoClosed() {
        return owner.isClosed()
                ? "The session was closed while a dataset of it was being read"
                : "The dataset was closed while it was being read";
    }

    @Override
    public @Nullable Block next() {
        for (BlockSlice slice = nextSlice(); slice != null; slice = nextSlice()) {
            try {
                if (slice.rows() > 0) {
                    return runtime.get(slice);
                }
            } finally {
                slice.release();
            }
        }
        return null;
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
    public boolean isCostly() {
        return runtime.shipsPrograms();
    }

    Runtime runtime() {
        return runtime;
    }

    RunStats stats() {
        return run.stats();
    }

    @Override
    public void close() {
        closed = true;
        Thread attending = reader;
        if (attending != null && !attending.equals(Thread.currentThread())) {
            run.close();
            awaitReader(attending);
        } else if (ending.compareAndSet(false, true)) {
            end();
        } else {
            // The session may be closing it on another thread: code after this may rely on no task running.
            run.close();
        }
    }

    private void end() {
        try {
            run.close();
        } finally {
            try {
                releases.run();
                inputs.forEach(BlockSlice::release);
                owner.ended(run, deadLetters);
                onEnd.accept(run.stats());
                account.close();
            } finally {
                owner.forget(this);
                ended.countDown();
            }
        }
    }

    private void awaitReader(Thread attending) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        boolean gone = false;
        while (!gone && deadline > System.nanoTime()) {
            try {
                gone = ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!gone) {
            owner.forget(this);
            throw MillraceException.user("A dataset was closed, and whoever reads it did not let go of its rows within "
                    + patience.toMillis() / 1000.0 + " s: " + ThreadPlace.of(attending)
                    + ". Close the session when its readers have ended.");
        }
    }
}
