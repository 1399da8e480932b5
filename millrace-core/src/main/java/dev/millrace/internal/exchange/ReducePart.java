package dev.millrace.internal.exchange;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The work of one reduce task: consecutive partitions.
///
/// @param sides for each input the spans of all its map tasks, without empty ones; spans of one map task never go back
///     from one part to the next
/// @param argument further information about this part for the reducer; or null
public record ReducePart(
        int firstPartition,
        int partitions,
        List<List<ShardSpan>> sides,
        @Nullable Serializable argument) {
    long rows() {
        long rows = 0;
        for (List<ShardSpan> spans : sides) {
            for (ShardSpan span : spans) {
                rows += span.rows();
            }
        }
        return rows;
    }
}
