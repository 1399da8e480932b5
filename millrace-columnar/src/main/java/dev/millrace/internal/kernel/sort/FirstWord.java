package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The values of a column without nulls as signed 64-bit words in the order of a sort key: equal words are equal
/// values, and words of other columns of the same type are comparable with them.
final class FirstWord {
    private static final int MAX_DIGITS = 18;

    private final Column column;
    /// Empty for values without a fixed width, which `key` reads.
    private final MemorySegment values;
    /// Null for decimals.
    private final @Nullable NumberKey key;
    /// All bits set if the order is reversed.
    private final long turn;

    private FirstWord(Column column, @Nullable NumberKey key, boolean descending) {
        this.column = column;
        this.values = column instanceof FixedWidthColumn fixed ? fixed.values() : MemorySegment.NULL;
        this.key = key;
        this.turn = descending ? -1L : 0L;
    }

    /// Null if values do not fit a word, or some are null.
    static @Nullable FirstWord of(Column column, SortKey by) {
        if (column.hasNulls()) {
            return null;
        }
        NumberKey.Kind kind = NumberKey.kindOf(column);
        if (kind != null) {
            return new FirstWord(column, new NumberKey(kind, by.isDescending()), by.isDescending());
        }
        boolean isShort = column.type() instanceof DataType.Decimal decimal && decimal.precision() <= MAX_DIGITS;
        return isShort && fitsLongs((DecimalColumn) column) ? new FirstWord(column, null, by.isDescending()) : null;
    }

    /// The precision that a broken file claims is not trusted.
    private static boolean fitsLongs(DecimalColumn column) {
        MemorySegment words = column.values();
        long beyond = 0;
        for (long row = 0; row < column.length(); row++) {
            beyond |= words.getAtIndex(JAVA_LONG, 2 * row + 1) ^ words.getAtIndex(JAVA_LONG, 2 * row) >> 63;
        }
        return beyond == 0;
    }

    long of(long row) {
        return key == null ? values.getAtIndex(JAVA_LONG, 2 * row) ^ turn : key.of(column, row) ^ Long.MIN_VALUE;
    }

    /// The rows whose words are below `bound` (which is not the least possible), in their order.
    ///
    /// @param rows with space for all rows
    /// @return their number
    int below(long bound, int[] rows) {
        int count = Math.toIntExact(column.length());
        if (key == null) {
            return decimals(values, count, turn, bound, rows);
        }
        return switch (key.kind()) {
            case INT64 -> longs(values, count, turn, bound, rows);
            case INT32 -> ints(values, count, turn, bound, rows);
            case FLOAT64 -> doubles(values, count, turn != 0, bound, rows);
            default -> others(count, bound, rows);
        };
    }

    private static int decimals(MemorySegment values, int count, long turn, long bound, int[] rows) {
        int found = 0;
        for (int row = 0; row < count; row++) {
            rows[found] = row;
            found += (values.getAtIndex(JAVA_LONG, 2L * row) ^ turn) < bound ? 1 : 0;
        }
        return found;
    }

    private static int longs(MemorySegment values, int count, long turn, long bound, int[] rows) {
        int found = 0;
        for (int row = 0; row < count; row++) {
            rows[found] = row;
            found += (values.getAtIndex(JAVA_LONG, row) ^ turn) < bound ? 1 : 0;
        }
        return found;
    }

    private static int ints(MemorySegment values, int count, long turn, long bound, int[] rows) {
        int found = 0;
        for (int row = 0; row < count; row++) {
            rows[found] = row;
            found += (values.getAtIndex(JAVA_INT, row) ^ turn) < bound ? 1 : 0;
        }
        return found;
    }

    private static int doubles(MemorySegment values, int count, boolean descending, long bound, int[] rows) {
        int found = 0;
        for (int row = 0; row < count; row++) {
            rows[found] = row;
            long word = NumberKey.ofDouble(values.getAtIndex(JAVA_DOUBLE, row), descending) ^ Long.MIN_VALUE;
            found += word < bound ? 1 : 0;
        }
        return found;
    }

    private int others(int count, long bound, int[] rows) {
        int found = 0;
        for (int row = 0; row < count; row++) {
            rows[found] = row;
            found += of(row) < bound ? 1 : 0;
        }
        return found;
    }
}
