package dev.millrace.internal.exchange;

import java.io.Serializable;

/// The map side of a shuffle: makes shards of the rows of a bundle of blocks. Their rows must come in the order of
/// their partitions, in as many blocks as it likes, and [MapTask#tell] says what is where.
public interface ShardMaker extends Serializable {
    void make(MapTask task) throws Exception;
}
