package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What a map task says of the rows that it emitted. Its [ReduceAssignment] understands it.
public interface MapShards extends Serializable {
    /// Rows of each partition, which follow each other.
    record Counted(int[] rows) implements MapShards {}

    /// All rows that there are, ready for one reduce task, in whatever order of partitions.
    ///
    /// @param distinct whether no two of them have equal keys
    record Whole(boolean distinct) implements MapShards {}
}
