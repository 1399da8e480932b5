package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts integers, decimals, dates and times to integers of fewer bytes, if all of them fit, and back. The undefined
/// values of null rows may change.
public final class NarrowKernel {
    private static final int CHUNK = 1024;
    private static final int DECIMAL_BYTES = 16;

    private NarrowKernel() {}

    /// The narrower integer type that can represent all values of these columns; null if there is none.
    ///
    /// @param columns at least one, all of one type
    public static DataType.@Nullable Int typeFor(List<? extends Column> columns) {
        if (!isWhole(columns.getFirst().type())) {
            return null;
        }
        int width = ((FixedWidthColumn) columns.getFirst()).byteWidth();
        long bits = 0;
        long[] values = new long[CHUNK];
        for (Column column : columns) {
            FixedWidthColumn fixed = (FixedWidthColumn) column;
            for (long from = 0; from < column.length(); from += CHUNK) {
                int count = (int) Math.min(CHUNK, column.length() - from);
                read(fixed.values(), width, from, count, values);
                bits |= bits(fixed, from, count, values);
                if (bytesFor(bits) >= width || (width == DECIMAL_BYTES && !isLong(fixed, from, count))) {
                    return null;
                }
            }
        }
        return switch (bytesFor(bits)) {
            case Byte.BYTES -> DataType.INT8;
            case Short.BYTES -> DataType.INT16;
            case Integer.BYTES -> DataType.INT32;
            default -> DataType.INT64;
        };
    }

    private static boolean isWhole(DataType type) {
        return switch (type) {
            case DataType.Int _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _ -> true;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Float _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
    }

    /// The union of the bits below the sign over all values.
    private static long bits(FixedWidthColumn column, long from, int count, long[] values) {
        long bits = 0;
        if (column.hasNulls()) {
            for (int i = 0; i < count; i++) {
                bits |= column.isNull(from + i) ? 0 : values[i] ^ values[i] >> 63;
            }
        } else {
            for (int i = 0; i < count; i++) {
                bits |= values[i] ^ values[i] >> 63;
            }
        }
        return bits;
    }

    /// The number of bytes of an integer with these bits below its sign.
    private static int bytesFor(long bits) {
        int signed = Long.SIZE + 1 - Long.numberOfLeadingZeros(bits);
        return signed <= Byte.SIZE
                ? Byte.BYTES
                : signed <= Short.SIZE ? Short.BYTES : signed <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    }

    /// Whether the upper halves of these decimals only repeat the sign.
    private static boolean isLong(FixedWidthColumn column, long from, int count) {
        MemorySegment words = column.values();
        boolean nulls = column.hasNulls();
        long more = 0;
        for (int i = 0; i < count; i++) {
            long at = 2 * (from + i);
            long beyond = words.getAtIndex(JAVA_LONG, at + 1) ^ words.getAtIndex(JAVA_LONG, at) >> 63;
            more |= nulls && column.isNull(from + i) ? 0 : beyond;
        }
        return more == 0;
    }

    /// Concatenates the columns as integers of the type that [#typeFor] returned; or converts such integers, of any
    /// width, back to their original type.
    ///
    /// @param columns at least one
    public static Column to(Allocator allocator, List<? extends Column> columns, DataType type) {
        ValueRanges ranges = new ValueRanges(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            ranges.add(i, 0, columns.get(i).length());
        }
        try (ColumnParts made = new ColumnParts(allocator)) {
            int width = widthOf(type);
            Buffer data = made.buffer(ranges.total() * width);
            long at = 0;
            long[] words = new long[(int) Math.min(CHUNK, ranges.total())];
            for (Column column : columns) {
                FixedWidthColumn fixed = (FixedWidthColumn) column;
                copy(fixed, data.segment().asSlice(at * width), width, words);
                at += fixed.length();
            }
            Buffer validity = AssembleKernel.validity(made, columns.toArray(Column[]::new), ranges);
            return made.keep(FixedWidthColumn.of(type, at, data, validity, 0, Column.UNKNOWN_NULLS));
        }
    }

    /// The number of bytes that a value of the type is wider than its narrow form.
    public static int more(Column narrow, DataType type) {
        return widthOf(type) - ((FixedWidthColumn) narrow).byteWidth();
    }

    private static int widthOf(DataType type) {
        return switch (type) {
            case DataType.Int integer -> integer.bits() / Byte.SIZE;
            case DataType.Decimal _ -> DECIMAL_BYTES;
            case DataType.Date _ -> Integer.BYTES;
            case DataType.Time time when time.unit().compareTo(TimeUnit.MILLISECOND) <= 0 -> Integer.BYTES;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Float _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> Long.BYTES;
        };
    }

    /// @param words for use in between
    private static void copy(FixedWidthColumn from, MemorySegment to, int width, long[] words) {
        MemorySegment values = from.values();
        if (from.byteWidth() == width) {
            MemorySegment.copy(values, 0, to, 0, values.byteSize());
            return;
        }
        for (long at = 0; at < from.length(); at += CHUNK) {
            int count = (int) Math.min(CHUNK, from.length() - at);
            read(values, from.byteWidth(), at, count, words);
            write(words, count, to, width, at);
        }
    }

    /// For decimals the lower halves.
    private static void read(MemorySegment values, int width, long from, int count, long[] words) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    words[i] = values.get(JAVA_BYTE, from + i);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    words[i] = values.getAtIndex(JAVA_SHORT, from + i);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    words[i] = values.getAtIndex(JAVA_INT, from + i);
                }
            }
            case Long.BYTES -> MemorySegment.copy(values, JAVA_LONG, from * Long.BYTES, words, 0, count);
            default -> {
                for (int i = 0; i < count; i++) {
                    words[i] = values.getAtIndex(JAVA_LONG, 2 * (from + i));
                }
            }
        }
    }

    private static void write(long[] words, int count, MemorySegment to, int width, long from) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to.set(JAVA_BYTE, from + i, (byte) words[i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_SHORT, from + i, (short) words[i]);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_INT, from + i, (int) words[i]);
                }
            }
            case Long.BYTES -> MemorySegment.copy(words, 0, to, JAVA_LONG, from * Long.BYTES, count);
            default -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_LONG, 2 * (from + i), words[i]);
                    to.setAtIndex(JAVA_LONG, 2 * (from + i) + 1, words[i] >> 63);
                }
            }
        }
    }
}
