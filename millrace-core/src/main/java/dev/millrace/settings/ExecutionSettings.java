package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// How the engine schedules.
///
/// @param preserveOrder rows are output in the order of the input
/// @param unreadBlocksPerTask a task pauses when this many of its blocks are unread
/// @param queueRatio an operator is held back when its queued output exceeds this many times what the next one has in
///     flight
/// @param reservedShare of the memory budget, reserved evenly per operator; the rest is lent to operators that need it
/// @param prefetchBlocks finished blocks that may wait for the consumer
public record ExecutionSettings(
        boolean preserveOrder, int unreadBlocksPerTask, double queueRatio, double reservedShare, int prefetchBlocks)
        implements DatasetSetting, Serializable {
    public static final ExecutionSettings DEFAULT = new ExecutionSettings(true, 2, 2.0, 0.5, 2);

    public ExecutionSettings {
        if (unreadBlocksPerTask < 1
                || prefetchBlocks < 1
                || !(queueRatio > 0)
                || !(reservedShare >= 0 && reservedShare <= 1)) {
            throw MillraceException.user("Execution settings need unread blocks and prefetch of 1 or more, a positive"
                    + " queue ratio and a reserved share of 0 to 1.");
        }
    }

    /// Whether rows are output in the order of their input.
    public ExecutionSettings withPreserveOrder(boolean keep) {
        return new ExecutionSettings(keep, unreadBlocksPerTask, queueRatio, reservedShare, prefetchBlocks);
    }

    /// The maximum number of blocks that wait for a consumer.
    public ExecutionSettings withPrefetchBlocks(int blocks) {
        return new ExecutionSettings(preserveOrder, unreadBlocksPerTask, queueRatio, reservedShare, blocks);
    }
}
