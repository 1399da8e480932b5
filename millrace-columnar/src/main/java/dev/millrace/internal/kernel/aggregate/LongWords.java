package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Columns whose values are one long each: integers, booleans, times, decimals of up to 18 digits without their scale,
/// floats as their bits.
final class LongWords {
    /// Decimals with this many digits fit a long.
    static final int MAX_DIGITS = 18;

    private LongWords() {}

    static boolean areFor(DataType type) {
        return switch (type) {
            case DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _ -> true;
            case DataType.Decimal decimal -> decimal.precision() <= MAX_DIGITS;
            case DataType.Null _, DataType.Utf8 _, DataType.Binary _, DataType.Dictionary _, DataType.Nested _ -> false;
        };
    }

    /// A column of `count` words that the caller releases.
    ///
    /// @param validity the column takes ownership; null if nothing is null
    static Column column(
            Allocator allocator, DataType type, int count, @Nullable Buffer validity, IntToLongFunction word) {
        int bits = bits(type);
        Buffer data;
        try (ResourceScope scope = new ResourceScope()) {
            if (validity != null) {
                scope.add(validity);
            }
            data = allocator.allocateZeroed(Math.max(1, ((long) count * bits + 7) / 8));
            scope.keep();
        }
        MemorySegment to = data.segment();
        for (int i = 0; i < count; i++) {
            long value = word.applyAsLong(i);
            switch (bits) {
                case 128 -> {
                    to.setAtIndex(JAVA_LONG, 2L * i, value);
                    to.setAtIndex(JAVA_LONG, 2L * i + 1, value >> 63);
                }
                case 64 -> to.setAtIndex(JAVA_LONG, i, value);
                case 32 -> to.setAtIndex(JAVA_INT, i, (int) value);
                case 16 -> to.setAtIndex(JAVA_SHORT, i, (short) value);
                case 8 -> to.set(JAVA_BYTE, i, (byte) value);
                default -> Bits.set(to, i, value != 0);
            }
        }
        return bits == 1
                ? new BooleanColumn(count, data, validity, 0, Column.UNKNOWN_NULLS)
                : FixedWidthColumn.of(type, count, data, validity, 0, Column.UNKNOWN_NULLS);
    }

    private static int bits(DataType type) {
        return switch (type) {
            case DataType.Bool _ -> 1;
            case DataType.Int integer -> integer.bits();
            case DataType.Float real -> real.bits();
            case DataType.Decimal _ -> 128;
            case DataType.Date _ -> 32;
            case DataType.Time time when time.unit().compareTo(TimeUnit.MILLISECOND) <= 0 -> 32;
            case DataType.Null _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> 64;
        };
    }
}
