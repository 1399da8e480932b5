package dev.millrace.internal.expression;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory that a kernel fills with values of one width, and the column built from it. Closing it before [#build]
/// releases the memory.
final class FixedOutput implements AutoCloseable {
    private final Allocator allocator;
    private final DataType type;
    private final long rows;
    /// Empty when the column was built.
    private Buffer data;

    FixedOutput(DataType type, EvaluationRows rows) {
        this.allocator = rows.allocator();
        this.type = type;
        this.rows = rows.count();
        this.data = allocator.allocate(this.rows * width(type));
    }

    MemorySegment values() {
        return data.segment();
    }

    /// The column, with nulls where the bit of `valid` is not set; `valid` is null if there are none.
    FixedWidthColumn build(long @Nullable [] valid) {
        long nulls = valid == null ? 0 : rows - BitWords.count(valid, rows);
        Buffer validity = valid == null || nulls == 0 ? null : BitWords.toBuffer(valid, rows, allocator);
        FixedWidthColumn column = over(type, rows, data, validity, 0, nulls);
        data = Buffer.EMPTY;
        return column;
    }

    /// The number of bytes per value of a type that [FixedWidthColumn]s store.
    static int width(DataType type) {
        return switch (type) {
            case DataType.Int integer -> integer.bits() / 8;
            case DataType.Float real -> real.bits() / 8;
            case DataType.Decimal _ -> 16;
            case DataType.Date _ -> 4;
            case DataType.Time time -> time.unit().perSecond() <= TimeUnit.MILLISECOND.perSecond() ? 4 : 8;
            case DataType.Timestamp _, DataType.Duration _ -> 8;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw MillraceException.internal(type + " has no fixed width");
        };
    }

    static boolean isFixed(DataType type) {
        return switch (type) {
            case DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _ -> true;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
    }

    /// A view of a column's values as another type with the same storage; adds no reference.
    static FixedWidthColumn view(FixedWidthColumn column, DataType type) {
        long nulls = column.hasNulls() ? Column.UNKNOWN_NULLS : 0;
        return over(type, column.length(), column.dataBuffer(), column.validityBuffer(), column.offset(), nulls);
    }

    private static FixedWidthColumn over(
            DataType type, long rows, Buffer data, @Nullable Buffer validity, long offset, long nulls) {
        return switch (type) {
            case DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> new HalfColumn(type, rows, data, validity, offset, nulls);
                    case 32 -> new FloatColumn(type, rows, data, validity, offset, nulls);
                    default -> new DoubleColumn(type, rows, data, validity, offset, nulls);
                };
            case DataType.Decimal decimal -> new DecimalColumn(decimal, rows, data, validity, offset, nulls);
            // Integers and times, by their width.
            default ->
                switch (width(type)) {
                    case 1 -> new ByteColumn(type, rows, data, validity, offset, nulls);
                    case 2 -> new ShortColumn(type, rows, data, validity, offset, nulls);
                    case 4 -> new IntColumn(type, rows, data, validity, offset, nulls);
                    default -> new LongColumn(type, rows, data, validity, offset, nulls);
                };
        };
    }

    @Override
    public void close() {
        data.release();
        data = Buffer.EMPTY;
    }
}
