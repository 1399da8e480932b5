package dev.millrace.source;

/// What the engine would like of a source's splits.
///
/// @param parallelism about how many splits, unless `exact`
/// @param exact the user asked for this number of blocks: there should be as many splits, and never more; where there
///     are fewer, the engine cuts their rows
/// @param minBytes splits below this are not worth a task
/// @param maxBytes splits above this make blocks above the target
/// @param rows of a split, or a multiple of it, where a source can count them before it reads: batches of so many are
///     made of what is read, and one that is a block as it is need not be put together; 0: any number
public record SplitRequest(int parallelism, boolean exact, long minBytes, long maxBytes, long rows) {
    private static final int SHIPPED_FACTOR = 16;

    /// Splits of any number of rows.
    public SplitRequest(int parallelism, boolean exact, long minBytes, long maxBytes) {
        this(parallelism, exact, minBytes, maxBytes, 0);
    }

    /// Read blocks by size: max(min(200, bytes / min), bytes / max, 2 x CPUs).
    public static SplitRequest forSize(long bytes, int cpus, long minBytes, long maxBytes) {
        long wanted = Math.max(Math.max(Math.min(200, bytes / minBytes), (bytes + maxBytes - 1) / maxBytes), 2L * cpus);
        return new SplitRequest((int) Math.min(wanted, Integer.MAX_VALUE), false, minBytes, maxBytes);
    }

    /// The same with fewer splits where each task has a cost of its own, a message to another machine and one back: of
    /// sixteen times the least bytes, as long as there are four for each task that can run at once.
    public SplitRequest forShipping(long bytes, int cpus) {
        long fewer = Math.max(
                Math.max(Math.min(200, bytes / minBytes / SHIPPED_FACTOR), (bytes + maxBytes - 1) / maxBytes),
                4L * cpus);
        return exact ? this : withParallelism((int) Math.min(parallelism, fewer));
    }

    /// The same with another number of splits to aim at.
    public SplitRequest withParallelism(int splits) {
        return new SplitRequest(splits, exact, minBytes, maxBytes, rows);
    }

    /// The same of a source that gives the splits that it has, whatever their number.
    public SplitRequest inexact() {
        return new SplitRequest(parallelism, false, minBytes, maxBytes, rows);
    }

    /// The same for splits of so many rows, where a source can count them.
    public SplitRequest withRows(long each) {
        return new SplitRequest(parallelism, exact, minBytes, maxBytes, each);
    }
}
