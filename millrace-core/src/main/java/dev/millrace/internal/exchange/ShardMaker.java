package dev.millrace.internal.exchange;

import java.io.Serializable;

/// The map side of a shuffle: makes shards of the rows of a bundle of blocks. Their rows must come in the order of
/// their partitions, in as many blocks as it likes, and [MapTask#tell] says what is where.
public interface ShardMaker extends Serializable {
    void make(MapTask task) throws Exception;

    /// The maker of a bundle that is all there is.
    default ShardMaker ofAll() {
        return this;
    }

    /// How many times the usual size bundles may have: more where a task makes little of much.
    default int bundles() {
        return 1;
    }
}
