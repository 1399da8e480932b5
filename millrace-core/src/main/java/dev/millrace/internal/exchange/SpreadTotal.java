package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.kernel.aggregate.SpreadDistinct;
import dev.millrace.type.Schema;

/// Adds up what [SpreadReducer] made, to the one row.
///
/// @param input the columns of the rows, null where they are not known: what a result over no rows is made of
public record SpreadTotal(SpreadDistinct spread, Schema input) implements Reducer {
    @Override
    public void reduce(ReduceTask task) {
        int counted = spread.columns().size();
        try (Block together = task.all(0)) {
            if (together == null || together.rows() == 0) {
                task.emit(spread.ofNothing(task.allocator(), input));
                return;
            }
            long[] counts = new long[counted];
            try (Block ofCounts = SpreadStates.part(task.allocator(), together, 0, false, 1, counted, 1)) {
                for (int i = 0; i < counted; i++) {
                    LongColumn column = (LongColumn) ofCounts.column(i);
                    for (long row = 0; row < ofCounts.rows(); row++) {
                        counts[i] += column.get(row);
                    }
                }
            }
            int begin = 1 + counted;
            int width = together.schema().size() - begin;
            try (Block states = SpreadStates.part(task.allocator(), together, 1, false, begin, width, 1)) {
                task.emit(
                        width > 0 && states.rows() == 0
                                ? spread.ofNothing(task.allocator(), input)
                                : spread.result(task.allocator(), counts, width == 0 ? null : states));
            }
        }
    }

    @Override
    public boolean makesRowsOfNothing() {
        return true;
    }
}
