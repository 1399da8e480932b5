package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Resources;
import dev.millrace.settings.BlockSettings;

/// What block sizes the memory of a session allows. A task holds about five blocks at its worst: the one it reads, one
/// that it collects and the copy that joins it, two that nobody has read. With an eighth of a task's part of memory per
/// block, all tasks at once stay below two thirds of the limit, and the rest is for what waits between operators and
/// for the consumer.
public final class MemoryShare {
    private static final long MIB = 1L << 20;
    private static final int BLOCKS_PER_TASK = 8;
    /// A batch and its result are alive at the same time, beside a block or two.
    private static final int BATCHES_PER_TASK = 6;
    /// All tables of a run have this part of memory at most.
    private static final int TABLES = 4;

    private MemoryShare() {}

    /// The settings with a target that fits; they stay as they are where memory is plenty.
    ///
    /// @param otherRuns that are open beside this one: each holds blocks, read or not, as one task more would
    public static BlockSettings fit(BlockSettings settings, Resources capacity, long blockBytes, int otherRuns) {
        long fitting = blockBytes / (slots(capacity) + otherRuns) / BLOCKS_PER_TASK;
        long target = Math.min(settings.targetBytes(), Math.max(MIB, fitting));
        if (target == settings.targetBytes()) {
            return settings;
        }
        return settings.withTargetBytes(target)
                .withChunkBytes(Math.min(settings.chunkBytes(), Math.max(1, target / 4)));
    }

    /// What one batch of a function may make before its batches are made smaller.
    static long ofBatch(Resources capacity, long blockBytes) {
        return Math.max(MIB, blockBytes / slots(capacity) / BATCHES_PER_TASK);
    }

    /// What one block after a shuffle may have at most, of those settings that fit.
    static long ofShuffle(BlockSettings fitted, Resources capacity, long blockBytes) {
        return Math.clamp(
                blockBytes / slots(capacity) / BLOCKS_PER_TASK, fitted.targetBytes(), fitted.shuffleTargetBytes());
    }

    /// What the table of one join may have that all its tasks share, where a plan has so many joins.
    static long ofTable(int joins, long blockBytes) {
        return blockBytes / TABLES / Math.max(1, joins);
    }

    private static long slots(Resources capacity) {
        return Math.max(1, (long) Math.ceil(capacity.cpus()));
    }
}
