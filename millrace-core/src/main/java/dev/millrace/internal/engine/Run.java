package dev.millrace.internal.engine;

import dev.millrace.runtime.BlockSlice;
import dev.millrace.stats.RunStats;

/// A plan being run, as its consumer sees it. The run starts no work beyond the first needed read before [#next] is
/// called the first time, and pauses when nobody takes its blocks.
public interface Run extends AutoCloseable {
    /// The next block of output, which the caller releases; null at the end. Waits; one consumer at a time.
    ///
    /// @throws dev.millrace.error.MillraceException the failure that stopped the run
    BlockSlice next();

    /// The numbers so far; after the end, the final ones. From any thread.
    RunStats stats();

    /// Cancels what is still running, waits for it to end, and frees everything. Idempotent.
    @Override
    void close();
}
