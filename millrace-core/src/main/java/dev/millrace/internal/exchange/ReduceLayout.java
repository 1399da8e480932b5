package dev.millrace.internal.exchange;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;

/// Which of a reduce task's inputs are what.
///
/// @param sides of each input of the exchange its runs, in order: the rows that one map task gave
/// @param argument of the [ReducePart]
/// @param targetBytes the size that output blocks aim at
/// @param mostBytes the size up to which rows that belong together may be one block
public record ReduceLayout(
        int firstPartition,
        int partitions,
        List<List<Run>> sides,
        Serializable argument,
        long targetBytes,
        long mostBytes)
        implements Serializable {
    /// @param firstInput number of the first of the task's inputs that belong to it
    /// @param partitionRows as in [ShardSpan]
    /// @param schema what its rows are, where they come as [NarrowRows]; else null
    public record Run(int firstInput, int inputs, long rows, int[] partitionRows, Schema schema)
            implements Serializable {
        public Run(int firstInput, int inputs, long rows, int[] partitionRows) {
            this(firstInput, inputs, rows, partitionRows, null);
        }
    }
}
