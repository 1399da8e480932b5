package dev.millrace.internal.engine;

import dev.millrace.internal.observe.RunDetails;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.stats.RunStats;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running plan, as its consumer sees it. The run starts no work beyond the first needed read before the first call
/// of [#next], and pauses when its blocks are not taken.
public interface PlanRun extends AutoCloseable {
    /// The next block of output, which the caller releases; null at the end. Blocks the caller; one consumer at a time.
    ///
    /// @throws dev.millrace.error.MillraceException the failure that stopped the run
    @Nullable
    BlockSlice next();

    /// The current figures; after the end, the final ones. From any thread.
    RunStats stats();

    /// The same with what observers are shown beside it. From any thread.
    RunDetails details();

    /// Blocks that tasks emitted beside the output: [dev.millrace.block.BlockMetadata#aside] says what they are. The
    /// caller owns them. Empty before the run is closed (by all its consumers), and when they were already taken.
    Optional<List<BlockRef>> takeAsides();

    /// Cancels what is still running, waits for it to end, and frees everything. Idempotent; each caller waits.
    @Override
    void close();
}
