package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;

/// Finds a quantile among the few candidate rows: one row of quantile and value.
record QuantileReducer() implements ShuffleReducer {
    private static final Schema FOUND =
            Schema.of(List.of(new Field("quantile", DataType.FLOAT64), new Field("value", DataType.FLOAT64)));

    @Override
    public void reduce(ReduceTask task) {
        QuantileRanges.Place place = (QuantileRanges.Place) task.requireArgument();
        try (CountedArray<double[]> room = CountedArray.ofDoubles(task.allocator(), Math.toIntExact(task.rows(0)))) {
            QuantileSearch search = new QuantileSearch(place, room.values());
            for (int run = 0; run < task.runs(0); run++) {
                double factor = place.scale() / place.scales()[run];
                for (int i = 0; i < task.blocks(0, run); i++) {
                    try (Block block = task.block(0, run, i)) {
                        DoubleColumn column = (DoubleColumn) block.column(0);
                        for (long row = 0; row < block.rows(); row++) {
                            search.add(factor == 1 ? column.get(row) : column.get(row) * factor);
                        }
                    }
                }
            }
            emit(task, place.quantile(), search.found());
        }
    }

    private static void emit(ReduceTask task, double quantile, double value) {
        Block found;
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            columns.add(Columns.ofDoubles(task.allocator(), quantile));
            columns.add(Columns.ofDoubles(task.allocator(), value));
            found = scope.keep(Block.of(FOUND, columns, 1));
        }
        task.emit(found);
    }
}
