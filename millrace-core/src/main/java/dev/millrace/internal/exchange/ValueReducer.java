package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;

/// The distinct values of some partitions, each with its count and position; or their number without null.
///
/// @param giving whether the values themselves are emitted
record ValueReducer(boolean giving) implements ShuffleReducer {
    private static final ShuffleReducer GROUPS = new AggregateReducer(GlobalAggregates.BY_VALUE, null);
    private static final Schema DISTINCT = Schema.of(List.of(new Field("distinct", DataType.INT64)));

    @Override
    public void reduce(ReduceTask task) throws Exception {
        if (task.rows(0) == 0) {
            return;
        }
        if (giving) {
            GROUPS.reduce(task);
            return;
        }
        long[] count = new long[1];
        GROUPS.reduce(task.with(task.layout(), block -> {
            try (block) {
                Column values = block.column(0);
                count[0] += block.rows() - (values.hasNulls() ? nulls(values) : 0);
            }
        }));
        task.emit(Block.of(DISTINCT, List.of(Columns.ofLongs(task.allocator(), count[0])), 1));
    }

    private static long nulls(Column values) {
        long nulls = 0;
        for (long i = 0; i < values.length(); i++) {
            nulls += values.isNull(i) ? 1 : 0;
        }
        return nulls;
    }
}
