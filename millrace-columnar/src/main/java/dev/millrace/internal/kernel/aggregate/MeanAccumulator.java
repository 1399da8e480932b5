package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The sum of each group's numbers as float64, and their count.
final class MeanAccumulator extends GroupAccumulator {
    private final double scale;
    private final ValueArrays values;
    private final GroupCells sums;
    private final GroupCells counts;

    MeanAccumulator(Allocator allocator, Column column, int mostRows) {
        super(allocator);
        this.scale = scaleOf(column.type());
        this.values = new ValueArrays(column, mostRows, true);
        this.sums = new GroupCells(allocator, Double.BYTES);
        this.counts = new GroupCells(allocator, Long.BYTES);
    }

    @Override
    void bind(Column column) {
        values.bind(column);
    }

    @Override
    void reserve(int groups) {
        sums.reserve(groups);
        counts.reserve(groups);
    }

    @Override
    void update(int[] ofRows, long from, int count) {
        values.select(ofRows, from, count);
        values.readDoubles();
        MemorySegment sum = sums.segment;
        MemorySegment number = counts.segment;
        int[] groups = values.groups;
        double[] doubles = values.doubles;
        for (int i = 0; i < values.count; i++) {
            int group = groups[i];
            sum.setAtIndex(JAVA_DOUBLE, group, sum.getAtIndex(JAVA_DOUBLE, group) + doubles[i]);
            number.setAtIndex(JAVA_LONG, group, number.getAtIndex(JAVA_LONG, group) + 1);
        }
    }

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        if (scale != 1) {
            for (int group = 0; group < groups; group++) {
                sums.segment.setAtIndex(JAVA_DOUBLE, group, sums.segment.getAtIndex(JAVA_DOUBLE, group) / scale);
            }
        }
        return List.of(
                new DoubleColumn(DataType.FLOAT64, groups, sums.take(groups), null, 0, 0),
                new LongColumn(DataType.INT64, groups, counts.take(groups), null, 0, 0));
    }

    /// The divisor of the unscaled values of a type.
    static double scaleOf(DataType type) {
        return AccumulatorFunctions.plain(type) instanceof DataType.Decimal decimal ? Math.pow(10, decimal.scale()) : 1;
    }

    @Override
    public void close() {
        sums.close();
        counts.close();
    }
}
