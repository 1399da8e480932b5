package dev.millrace.internal.exchange;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes the inputs of a reduce task.
///
/// @param sides for each input of the exchange its runs, in order: the rows of one map task
/// @param argument of the [ReducePart]
/// @param targetBytes the target size of output blocks
/// @param mostBytes the size up to which rows that belong together may be one block
public record ReduceLayout(
        int firstPartition,
        int partitions,
        List<List<Run>> sides,
        @Nullable Serializable argument,
        long targetBytes,
        long mostBytes)
        implements Serializable {
    /// @param firstInput number of the first of the task's inputs that belong to it
    /// @param partitionRows as in [ShardSpan]
    /// @param schema of the original rows, if they are [NarrowRows]; else null
    public record Run(
            int firstInput,
            int inputs,
            long rows,
            int @Nullable [] partitionRows,
            @Nullable Schema schema) implements Serializable {
        public Run(int firstInput, int inputs, long rows, int @Nullable [] partitionRows) {
            this(firstInput, inputs, rows, partitionRows, null);
        }
    }
}
