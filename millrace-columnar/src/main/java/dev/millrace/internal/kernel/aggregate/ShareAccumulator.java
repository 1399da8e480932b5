package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The number of values of each group that are zero, or missing, and the total.
final class ShareAccumulator extends GroupAccumulator {
    private Column column;
    /// Null if missing values are counted.
    private final @Nullable ValueArrays numbers;
    private final GroupCells found;
    private final GroupCells all;

    private ShareAccumulator(Allocator allocator, Column column, @Nullable ValueArrays numbers) {
        super(allocator);
        this.column = column;
        this.numbers = numbers;
        this.found = new GroupCells(allocator, Long.BYTES);
        this.all = new GroupCells(allocator, Long.BYTES);
    }

    /// Counts null and NaN among all rows.
    static ShareAccumulator missing(Allocator allocator, Column column) {
        return new ShareAccumulator(allocator, column, null);
    }

    /// Counts zero among the numbers that are not null.
    static ShareAccumulator zero(Allocator allocator, Column column, int mostRows) {
        return new ShareAccumulator(allocator, column, new ValueArrays(column, mostRows, true));
    }

    private static boolean isNaN(Column column, long row) {
        return switch (column) {
            case DoubleColumn doubles -> Double.isNaN(doubles.get(row));
            case FloatColumn floats -> Float.isNaN(floats.get(row));
            case HalfColumn halves -> Float.isNaN(halves.get(row));
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> false;
        };
    }

    @Override
    void bind(Column next) {
        column = next;
        if (numbers != null) {
            numbers.bind(next);
        }
    }

    @Override
    void reserve(int groups) {
        found.reserve(groups);
        all.reserve(groups);
    }

    @Override
    void update(int[] groups, long from, int count) {
        if (numbers == null) {
            for (int i = 0; i < count; i++) {
                add(all, groups[i]);
                if (column.isNull(from + i) || isNaN(column, from + i)) {
                    add(found, groups[i]);
                }
            }
            return;
        }
        numbers.select(groups, from, count);
        numbers.readDoubles();
        for (int i = 0; i < numbers.count; i++) {
            add(all, numbers.groups[i]);
            if (numbers.doubles[i] == 0) {
                add(found, numbers.groups[i]);
            }
        }
    }

    private static void add(GroupCells cells, int group) {
        cells.segment.setAtIndex(JAVA_LONG, group, cells.segment.getAtIndex(JAVA_LONG, group) + 1);
    }

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        return List.of(
                new LongColumn(DataType.INT64, groups, found.take(groups), null, 0, 0),
                new LongColumn(DataType.INT64, groups, all.take(groups), null, 0, 0));
    }

    @Override
    public void close() {
        found.close();
        all.close();
    }
}
