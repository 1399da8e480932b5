package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.PresentRows;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The non-null values of a stretch of a column, as arrays: so that the loops over them handle neither nulls nor types.
/// The column may be a dictionary without nulls of its own, whose values are read once. One thread.
final class ValueArrays {
    /// The column as stored.
    private Column stored;
    /// The same, or the values of its dictionary.
    private Column column;
    /// Null if it is not a dictionary.
    private @Nullable MemorySegment codes;
    /// The dictionary's values, once they were read.
    private long @Nullable [] longTable;

    private double @Nullable [] doubleTable;
    private final int mostRows;
    private int[] picked = {};
    private int[] pickedGroups = {};
    private long first;
    /// For the latest stretch: the number of non-null values,
    int count;
    /// the group of each,
    int[] groups = {};
    /// the row of each; null if they are all rows of the stretch.
    private int @Nullable [] rows;

    /// Its values, in the one of the arrays that was asked for; the other is empty.
    final long[] longs;

    final double[] doubles;

    /// @param mostRows the maximum number of rows at a time
    ValueArrays(Column column, int mostRows, boolean asDoubles) {
        bind(column);
        this.mostRows = mostRows;
        this.longs = new long[asDoubles ? 0 : mostRows];
        this.doubles = new double[asDoubles ? mostRows : 0];
    }

    /// Continues with another column of the same type.
    void bind(Column next) {
        stored = next;
        Column before = column;
        if (next instanceof DictionaryColumn dictionary) {
            codes = ((IntColumn) dictionary.indices()).values();
            column = dictionary.dictionary();
        } else {
            codes = null;
            column = next;
        }
        if (column != before) {
            longTable = null;
            doubleTable = null;
        }
    }

    /// Whether a column can be read, given that the type of its values is supported.
    static boolean canRead(Column column) {
        return !(column instanceof DictionaryColumn dictionary)
                || dictionary.indices() instanceof IntColumn
                        && !dictionary.dictionary().hasNulls()
                        && dictionary.dictionary().length() <= dictionary.length();
    }

    /// The row of one of the values.
    long row(int index) {
        return rows == null ? first + index : rows[index];
    }

    /// Treats all rows of a stretch as non-null. Without groups.
    void all(long from, int length) {
        rows = null;
        first = from;
        count = length;
    }

    /// Selects the non-null values.
    void select(int[] ofRows, long from, int length) {
        if (!stored.hasNulls()) {
            all(from, length);
            groups = ofRows;
            return;
        }
        if (picked.length < mostRows) {
            picked = new int[mostRows];
            pickedGroups = new int[mostRows];
        }
        rows = picked;
        groups = pickedGroups;
        int found = PresentRows.find(stored, from, length, picked);
        for (int i = 0; i < found; i++) {
            pickedGroups[i] = ofRows[picked[i]];
        }
        for (int i = 0; i < found; i++) {
            picked[i] += (int) from;
        }
        count = found;
    }

    /// Integers, and types stored as such, by value. uint64 as its bits; decimals of up to 18 digits without their
    /// scale.
    void readLongs() {
        if (count == 0) {
            return;
        }
        if (codes == null) {
            readPlainLongs();
            return;
        }
        if (longTable == null) {
            longTable = longTable(false);
        }
        look(codes, longTable);
    }

    private void look(MemorySegment indices, long[] table) {
        long[] into = longs;
        if (rows == null) {
            look(indices, first, table, into, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            into[i] = table[indices.getAtIndex(JAVA_INT, rows[i])];
        }
    }

    private static void look(MemorySegment indices, long from, long[] table, long[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = table[indices.getAtIndex(JAVA_INT, from + i)];
        }
    }

    private static void look(MemorySegment indices, long from, double[] table, double[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = table[indices.getAtIndex(JAVA_INT, from + i)];
        }
    }

    /// The dictionary's values as [#readLongs] or [#readOrdered] gives them.
    private long[] longTable(boolean ordered) {
        long[] table = new long[Math.toIntExact(column.length())];
        ValueArrays values = new ValueArrays(column, mostRows, false);
        for (int from = 0; from < table.length; from += mostRows) {
            values.all(from, Math.min(mostRows, table.length - from));
            if (ordered) {
                values.readOrdered();
            } else {
                values.readLongs();
            }
            System.arraycopy(values.longs, 0, table, from, values.count);
        }
        return table;
    }

    private double[] doubleTable() {
        double[] table = new double[Math.toIntExact(column.length())];
        ValueArrays values = new ValueArrays(column, mostRows, true);
        for (int from = 0; from < table.length; from += mostRows) {
            values.all(from, Math.min(mostRows, table.length - from));
            values.readDoubles();
            System.arraycopy(values.doubles, 0, table, from, values.count);
        }
        return table;
    }

    private void readPlainLongs() {
        switch (column) {
            case LongColumn c -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i));
                }
            }
            case IntColumn c -> {
                long keep = isUnsigned(c) ? 0xFFFFFFFFL : -1L;
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i)) & keep;
                }
            }
            case ShortColumn c -> {
                long keep = isUnsigned(c) ? 0xFFFFL : -1L;
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i)) & keep;
                }
            }
            case ByteColumn c -> {
                long keep = isUnsigned(c) ? 0xFFL : -1L;
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i)) & keep;
                }
            }
            case DecimalColumn c -> {
                MemorySegment words = c.values();
                long beyond = 0;
                for (int i = 0; i < count; i++) {
                    long low = words.getAtIndex(JAVA_LONG, 2 * row(i));
                    beyond |= beyond(low, words.getAtIndex(JAVA_LONG, 2 * row(i) + 1));
                    longs[i] = low;
                }
                requireDigits(beyond);
            }
            case BooleanColumn c -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i)) ? 1 : 0;
                }
            }
            case DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ ->
                throw MillraceException.internal(column.type() + " is not stored as integers");
        }
    }

    /// Numbers by value; decimals without their scale.
    void readDoubles() {
        if (count == 0) {
            return;
        }
        if (codes == null) {
            readPlainDoubles();
            return;
        }
        if (doubleTable == null) {
            doubleTable = doubleTable();
        }
        if (rows == null) {
            look(codes, first, doubleTable, doubles, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            doubles[i] = doubleTable[codes.getAtIndex(JAVA_INT, rows[i])];
        }
    }

    private void readPlainDoubles() {
        switch (column) {
            case DoubleColumn c -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i));
                }
            }
            case FloatColumn c -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i));
                }
            }
            case HalfColumn c -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i));
                }
            }
            case LongColumn c
            when isUnsigned(c) -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = unsigned(c.get(row(i)));
                }
            }
            case LongColumn c -> {
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i));
                }
            }
            case IntColumn c -> {
                long keep = isUnsigned(c) ? 0xFFFFFFFFL : -1L;
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i)) & keep;
                }
            }
            case ShortColumn c -> {
                long keep = isUnsigned(c) ? 0xFFFFL : -1L;
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i)) & keep;
                }
            }
            case ByteColumn c -> {
                long keep = isUnsigned(c) ? 0xFFL : -1L;
                for (int i = 0; i < count; i++) {
                    doubles[i] = c.get(row(i)) & keep;
                }
            }
            case DecimalColumn c
            when ((DataType.Decimal) c.type()).precision() <= LongWords.MAX_DIGITS -> {
                MemorySegment words = c.values();
                long beyond = 0;
                for (int i = 0; i < count; i++) {
                    long low = words.getAtIndex(JAVA_LONG, 2 * row(i));
                    beyond |= beyond(low, words.getAtIndex(JAVA_LONG, 2 * row(i) + 1));
                    doubles[i] = low;
                }
                requireDigits(beyond);
            }
            case DecimalColumn c -> {
                for (int i = 0; i < count; i++) {
                    long low = c.low(row(i));
                    long high = c.high(row(i));
                    doubles[i] = high == low >> 63 ? low : high * 0x1p64 + unsigned(low);
                }
            }
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    TensorColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw MillraceException.internal(column.type() + " is not a number");
        }
    }

    /// Zero for a decimal small enough that two can be added in 64 bits, as those of 18 digits are.
    private static long beyond(long low, long high) {
        return (high ^ (low >> 63)) | ((low ^ (low << 1)) & Long.MIN_VALUE);
    }

    /// Larger values would be added, compared and grouped wrongly in 64 bits, without an error.
    private void requireDigits(long beyond) {
        if (beyond != 0) {
            throw MillraceException.data("A value of the type " + column.type() + " has more digits than that. Whatever"
                    + " made it, a file or a function, is wrong about its type.");
        }
    }

    /// Longs in the order of the values, NaN above all numbers and 0.0 equal to -0.0.
    void readOrdered() {
        if (codes != null) {
            if (longTable == null) {
                longTable = longTable(true);
            }
            look(codes, longTable);
            return;
        }
        switch (column) {
            case DoubleColumn c -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = ordered(c.get(row(i)));
                }
            }
            case FloatColumn c -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = ordered(c.get(row(i)));
                }
            }
            case HalfColumn c -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = ordered(c.get(row(i)));
                }
            }
            case LongColumn c
            when isUnsigned(c) -> {
                for (int i = 0; i < count; i++) {
                    longs[i] = c.get(row(i)) ^ Long.MIN_VALUE;
                }
            }
            // Integers whose order is that of their bits.
            default -> readLongs();
        }
    }

    static long ordered(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }

    /// The inverse of [#readOrdered] for one value.
    static long fromOrdered(DataType type, long ordered) {
        if (type instanceof DataType.Float real) {
            double value = Double.longBitsToDouble(ordered ^ (ordered >> 63 & Long.MAX_VALUE));
            return switch (real.bits()) {
                case 16 -> Float.floatToFloat16((float) value);
                case 32 -> Float.floatToIntBits((float) value);
                default -> Double.doubleToLongBits(value);
            };
        }
        return type.equals(DataType.UINT64) ? ordered ^ Long.MIN_VALUE : ordered;
    }

    static double unsigned(long bits) {
        return bits >= 0 ? bits : (bits >>> 1 | bits & 1) * 2.0;
    }

    private static boolean isUnsigned(Column column) {
        return column.type() instanceof DataType.Int integer && !integer.signed();
    }

    /// Marks the groups that have a value.
    void mark(MemorySegment seen) {
        for (int i = 0; i < count; i++) {
            seen.set(JAVA_BYTE, groups[i], (byte) 1);
        }
    }
}
