package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What a map task reports about the rows that it emitted. Interpreted by its [ReduceAssignment].
public interface MapShards extends Serializable {
    /// The number of rows of each partition; partitions are consecutive.
    record Counted(int[] rows) implements MapShards {}

    /// The whole input, ready for one reduce task, in any order of partitions.
    ///
    /// @param distinct whether no two rows have equal keys
    record Whole(boolean distinct) implements MapShards {}
}
