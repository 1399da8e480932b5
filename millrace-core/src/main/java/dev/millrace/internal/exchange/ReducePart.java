package dev.millrace.internal.exchange;

import java.io.Serializable;
import java.util.List;

/// The work of one reduce task: partitions that follow each other.
///
/// @param sides of each input the spans of all its map tasks, those without rows left out; spans of one map task never
///     go back from one part to the next
/// @param argument what else the reducer must know of this part; or null
public record ReducePart(int firstPartition, int partitions, List<List<ShardSpan>> sides, Serializable argument) {
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
