package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.engine.Run;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.stats.RunStats;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// One run with its consumer: hands out its blocks, holds the blocks its plan starts from, and the account for what
/// the consumer copies. [#close] cancels what still runs and frees everything.
public final class Execution implements BlockFeed {
    private final Executions owner;
    private final Run run;
    private final Runtime runtime;
    private final Allocator account;
    private final List<BlockSlice> inputs;
    private final Set<String> deadLetters;
    private final Consumer<RunStats> ended;
    private final List<Runnable> releases = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    Execution(
            Executions owner,
            Run run,
            Runtime runtime,
            Allocator account,
            List<BlockSlice> inputs,
            Set<String> deadLetters,
            Consumer<RunStats> ended) {
        this.owner = owner;
        this.run = run;
        this.runtime = runtime;
        this.account = account;
        this.inputs = inputs;
        this.deadLetters = deadLetters;
        this.ended = ended;
    }

    /// The next block as a reference, which the caller releases; null at the end.
    public BlockSlice nextSlice() {
        BlockSlice slice = closed.get() ? null : run.next();
        if (slice == null && closed.get()) {
            throw MillraceException.user("The dataset was closed while it was being read.");
        }
        return slice;
    }

    @Override
    public Block next() {
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
        if (!closed.compareAndSet(false, true)) {
            // The session may be closing it on another thread: whoever goes on from here may rely on no task running.
            run.close();
            return;
        }
        try {
            run.close();
        } finally {
            releases.forEach(Runnable::run);
            inputs.forEach(BlockSlice::release);
            owner.ended(this, run, deadLetters);
            ended.accept(run.stats());
            account.close();
        }
    }
}
