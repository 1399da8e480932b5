package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Resources;
import dev.millrace.settings.BlockSettings;

/// Derives block sizes from the memory of a session. A task holds about five blocks at its worst: the block it reads,
/// one it collects and the copy that concatenates it, and two that were not read yet. With an eighth of a task's share
/// of memory per block, all tasks at once stay below two thirds of the limit, and the rest is for blocks that are
/// queued between operators and for the consumer.
public final class MemoryShare {
    private static final long MIB = 1L << 20;
    private static final int BLOCKS_PER_TASK = 8;
    /// A batch and its result exist at the same time, beside a block or two.
    private static final int BATCHES_PER_TASK = 6;
    /// The fraction of memory for all broadcast hash tables of a run is one divided by this.
    private static final int TABLES = 4;

    private MemoryShare() {}

    /// The settings with a target that fits; unchanged if there is enough memory.
    ///
    /// @param tasks of the plan that run at once, see [TasksAtOnce]
    /// @param otherRuns that are open beside this one: each holds blocks, read or not, as one more task would
    public static BlockSettings fit(BlockSettings settings, long tasks, long blockBytes, int otherRuns) {
        long fitting = blockBytes / (tasks + otherRuns) / BLOCKS_PER_TASK;
        long target = Math.min(settings.targetBytes(), Math.max(MIB, fitting));
        if (target == settings.targetBytes()) {
            return settings;
        }
        return settings.withTargetBytes(target)
                .withChunkBytes(Math.min(settings.chunkBytes(), Math.max(1, target / 4)));
    }

    /// The maximum result of one batch of a function before its batches are made smaller.
    static long ofBatch(Resources capacity, long blockBytes) {
        return Math.max(MIB, blockBytes / slots(capacity) / BATCHES_PER_TASK);
    }

    /// The maximum size of one block after a shuffle, for settings that fit.
    static long ofShuffle(BlockSettings fitted, Resources capacity, long blockBytes) {
        return Math.clamp(
                blockBytes / slots(capacity) / BLOCKS_PER_TASK, fitted.targetBytes(), fitted.shuffleTargetBytes());
    }

    /// The maximum size of the broadcast hash table of one join, in a plan with this many joins.
    static long ofTable(int joins, long blockBytes) {
        return blockBytes / TABLES / Math.max(1, joins);
    }

    private static long slots(Resources capacity) {
        return Math.max(1, (long) Math.ceil(capacity.cpus()));
    }
}
