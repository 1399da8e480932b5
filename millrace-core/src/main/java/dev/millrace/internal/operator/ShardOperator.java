package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The map side of an exchange: each task makes shards of a bundle of blocks, in the order of the rows. Bundles begin
/// small, so that all CPUs have work soon, and grow with the input so far: few large bundles make few shards. Bundle
/// boundaries depend only on the blocks.
class ShardOperator extends BundleOperator {
    /// A task holds its bundle, a concatenated copy of it, what it sorts, and its output.
    private static final int BUNDLES_IN_MEMORY = 12;

    private static final long FIRST_BUNDLE = 8L << 20;
    /// A bundle is at most this fraction of the input before it.
    private static final int GROWTH = 32;
    /// What a row may need beside its own bytes.
    private static final int MIN_ROW_BYTES = 32;
    /// A bundle becomes about this many blocks, unless they would be very small.
    private static final int BLOCKS_PER_BUNDLE = 32;

    private static final long MIN_BLOCK = 1L << 20;
    /// With little memory, blocks are spilled, and each part reads all blocks that contain some of its rows: smaller
    /// blocks contain rows of fewer parts.
    private static final long LITTLE_MEMORY = 4L << 30;

    private static final int BLOCKS_PER_BUNDLE_IN_LITTLE_MEMORY = 96;
    private static final long MIN_BLOCK_IN_LITTLE_MEMORY = 64L << 10;

    private final ShardMaker maker;
    final VerbSite verb;
    private final ProgramFactory programs;
    private final long mostBytes;
    private final long firstBundle;
    private long rowsTaken;
    private long bytesTaken;

    ShardOperator(
            PhysicalPlan.Exchange plan,
            PhysicalPlan.Side side,
            OperatorHost host,
            ProgramFactory programs,
            Allocator account) {
        super(
                plan.name() + " map",
                host,
                plan.resources(),
                Integer.MAX_VALUE,
                null,
                account,
                Math.min(plan.targetBytes(), MIN_BLOCK));
        this.maker = Objects.requireNonNull(side.maker(), "a side with map tasks has a maker");
        this.verb = plan.verb();
        this.programs = programs;
        this.firstBundle = FIRST_BUNDLE * maker.bundles();
        this.mostBytes = Math.min(plan.targetBytes(), Math.max(1, host.taskMemory() / BUNDLES_IN_MEMORY));
    }

    private long bundleBytes() {
        // By doubling, so that the memory of one bundle can be reused for the next.
        return Math.min(mostBytes, Math.max(firstBundle, Long.highestOneBit(Math.max(1, bytesTaken / GROWTH))));
    }

    @Override
    final boolean isBundle(long rows, long bytes) {
        return Math.max(bytes, rows * MIN_ROW_BYTES) >= bundleBytes();
    }

    /// The broadcast decision is known; see [BroadcastChoice].
    void chosen() {}

    @Override
    TaskRun takeInput() {
        BlockChannel input = input(0);
        long now = host.now();
        List<BlockSlice> inputs = new ArrayList<>();
        long rows = 0;
        long size = 0;
        long counted = 0;
        while (!input.isEmpty() && (inputs.isEmpty() || !isBundle(rows, size))) {
            rows += input.peek().rows();
            size += input.peek().sizeBytes();
            counted += input.bytes();
            meter.waited(now - input.since());
            inputs.add(input.take());
        }
        // It was not full, so it was taken because the input has ended: that too depends only on the blocks.
        boolean isAll = rowsTaken == 0 && input.isExhausted() && !isBundle(rows, size);
        TaskRun task = task(isAll ? maker.ofAll() : maker, inputs, rows, size, counted);
        creditBundle();
        return task;
    }

    /// The task of a bundle.
    ///
    /// @param counted bytes that count as memory of the run
    final TaskRun task(List<BlockSlice> bundle, long rows, long size, long counted) {
        return task(maker, bundle, rows, size, counted);
    }

    private TaskRun task(ShardMaker maker, List<BlockSlice> bundle, long rows, long size, long counted) {
        boolean little = host.taskMemory() < LITTLE_MEMORY;
        long least = mostBytes < FIRST_BUNDLE ? MIN_BLOCK_IN_LITTLE_MEMORY : little ? MIN_BLOCK / 2 : MIN_BLOCK;
        int blocks = little ? BLOCKS_PER_BUNDLE_IN_LITTLE_MEMORY : BLOCKS_PER_BUNDLE;
        long blockBytes = Math.max(least, bundleBytes() / blocks);
        TaskRun task = new TaskRun(
                this, programs.shards(maker, rowsTaken, Math.min(blockBytes, mostBytes), verb), bundle, rows, counted);
        rowsTaken += rows;
        bytesTaken += size;
        return task;
    }

    @Override
    final String site() {
        return verb.site();
    }

    /// The size of its input.
    @Override
    long guessOutputBytes() {
        return Math.min(input(0).sizeBytes(), bundleBytes());
    }
}
