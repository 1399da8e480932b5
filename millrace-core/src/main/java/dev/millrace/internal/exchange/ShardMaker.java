package dev.millrace.internal.exchange;

import dev.millrace.runtime.ShippedOnce;

/// The map side of a shuffle: turns the rows of a bundle of blocks into shards. Rows must be emitted in the order of
/// their partitions, in any number of blocks, and [MapTask#tell] reports where each partition is.
public interface ShardMaker extends ShippedOnce {
    void make(MapTask task) throws Exception;

    /// The maker for a bundle that is the whole input.
    default ShardMaker ofAll() {
        return this;
    }

    /// How many times the usual size bundles may have: more if a task reduces its input strongly.
    default int bundles() {
        return 1;
    }
}
