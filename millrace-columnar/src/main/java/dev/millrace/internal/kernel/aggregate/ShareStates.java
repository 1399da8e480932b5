package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.List;

/// How many of the values of each group are zero, or missing, and of how many.
final class ShareStates extends States {
    private Column column;
    /// Null where missing values are counted.
    private final Values numbers;
    private final Cells found;
    private final Cells all;

    private ShareStates(Allocator allocator, Column column, Values numbers) {
        super(allocator);
        this.column = column;
        this.numbers = numbers;
        this.found = new Cells(allocator, Long.BYTES);
        this.all = new Cells(allocator, Long.BYTES);
    }

    /// Null and NaN, of all rows.
    static ShareStates missing(Allocator allocator, Column column) {
        return new ShareStates(allocator, column, null);
    }

    /// Zero, of the numbers that are not null.
    static ShareStates zero(Allocator allocator, Column column, int mostRows) {
        return new ShareStates(allocator, column, new Values(column, mostRows, true));
    }

    private static boolean isNaN(Column column, long row) {
        return switch (column) {
            case DoubleColumn doubles -> Double.isNaN(doubles.get(row));
            case FloatColumn floats -> Float.isNaN(floats.get(row));
            case HalfColumn halves -> Float.isNaN(halves.get(row));
            default -> false;
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

    private static void add(Cells cells, int group) {
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
