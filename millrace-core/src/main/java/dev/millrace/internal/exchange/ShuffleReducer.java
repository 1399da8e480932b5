package dev.millrace.internal.exchange;

import dev.millrace.runtime.ShippedOnce;

/// The reduce side of a shuffle: computes the output of one part from its shards. Deterministic for the same shards.
public interface ShuffleReducer extends ShippedOnce {
    void reduce(ReduceTask task) throws Exception;

    /// Whether there is output even without input: a reduce task then runs over no shards.
    default boolean makesRowsOfNothing() {
        return false;
    }
}
