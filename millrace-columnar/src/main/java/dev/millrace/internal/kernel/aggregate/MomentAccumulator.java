package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The count of each group's numbers, their mean, and the sum of squared differences from it (Welford), which stays
/// accurate if all numbers are large and close to each other.
final class MomentAccumulator extends GroupAccumulator {
    /// The numbers; null if states are merged.
    private final @Nullable ValueArrays values;

    private final double scale;
    /// The states, if they are merged; else none.
    private final List<Column> merged;

    private final GroupCells counts;
    private final GroupCells means;
    private final GroupCells squares;

    private MomentAccumulator(Allocator allocator, @Nullable ValueArrays values, double scale, List<Column> merged) {
        super(allocator);
        this.values = values;
        this.scale = scale;
        this.merged = merged;
        this.counts = new GroupCells(allocator, Long.BYTES);
        this.means = new GroupCells(allocator, Double.BYTES);
        this.squares = new GroupCells(allocator, Double.BYTES);
    }

    static MomentAccumulator of(Allocator allocator, Column column, int mostRows) {
        return new MomentAccumulator(
                allocator, new ValueArrays(column, mostRows, true), MeanAccumulator.scaleOf(column.type()), List.of());
    }

    /// @param states as [#build] gives them
    static MomentAccumulator merge(Allocator allocator, List<Column> states) {
        return new MomentAccumulator(allocator, null, 1, states);
    }

    @Override
    void bind(Column column) {
        requireNonNull(values, "states are merged at once").bind(column);
    }

    @Override
    void reserve(int groups) {
        counts.reserve(groups);
        means.reserve(groups);
        squares.reserve(groups);
    }

    @Override
    void update(int[] ofRows, long from, int count) {
        if (values == null) {
            merge(ofRows, from, count);
            return;
        }
        values.select(ofRows, from, count);
        values.readDoubles();
        MemorySegment number = counts.segment;
        MemorySegment mean = means.segment;
        MemorySegment square = squares.segment;
        for (int i = 0; i < values.count; i++) {
            int group = values.groups[i];
            double value = values.doubles[i] / scale;
            long n = number.getAtIndex(JAVA_LONG, group) + 1;
            double before = mean.getAtIndex(JAVA_DOUBLE, group);
            double distance = value - before;
            double after = before + distance / n;
            number.setAtIndex(JAVA_LONG, group, n);
            mean.setAtIndex(JAVA_DOUBLE, group, after);
            square.setAtIndex(JAVA_DOUBLE, group, square.getAtIndex(JAVA_DOUBLE, group) + distance * (value - after));
        }
    }

    private void merge(int[] groups, long from, int count) {
        LongColumn otherCounts = (LongColumn) merged.get(0);
        DoubleColumn otherMeans = (DoubleColumn) merged.get(1);
        DoubleColumn otherSquares = (DoubleColumn) merged.get(2);
        for (int i = 0; i < count; i++) {
            long other = otherCounts.get(from + i);
            if (other == 0) {
                continue;
            }
            int group = groups[i];
            long mine = counts.segment.getAtIndex(JAVA_LONG, group);
            double mean = means.segment.getAtIndex(JAVA_DOUBLE, group);
            double distance = mine == 0 ? 0 : otherMeans.get(from + i) - mean;
            long n = mine + other;
            counts.segment.setAtIndex(JAVA_LONG, group, n);
            means.segment.setAtIndex(
                    JAVA_DOUBLE, group, mine == 0 ? otherMeans.get(from + i) : mean + distance * other / n);
            squares.segment.setAtIndex(
                    JAVA_DOUBLE,
                    group,
                    squares.segment.getAtIndex(JAVA_DOUBLE, group)
                            + otherSquares.get(from + i)
                            + distance * distance * mine * other / n);
        }
    }

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        return List.of(
                new LongColumn(DataType.INT64, groups, counts.take(groups), null, 0, 0),
                new DoubleColumn(DataType.FLOAT64, groups, means.take(groups), null, 0, 0),
                new DoubleColumn(DataType.FLOAT64, groups, squares.take(groups), null, 0, 0));
    }

    @Override
    public void close() {
        counts.close();
        means.close();
        squares.close();
    }
}
