package dev.millrace.internal.kernel.window;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// A column of numbers under construction, initially all null. Closed by its user.
final class NumberColumnBuilder implements AutoCloseable {
    private final DataType type;
    private final int rows;
    private final Buffer validity;
    private final Buffer data;

    NumberColumnBuilder(Allocator allocator, DataType type, int rows) {
        this.type = type;
        this.rows = rows;
        long width = type instanceof DataType.Decimal ? 2 * Long.BYTES : Long.BYTES;
        this.validity = allocator.allocateZeroed(Math.max(1, (rows + 7) / Byte.SIZE));
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(validity);
            this.data = allocator.allocateZeroed(Math.max(1, rows * width));
            scope.keep();
        }
    }

    /// The memory of the values.
    MemorySegment data() {
        return data.segment();
    }

    /// Marks the row as non-null.
    void there(int row) {
        Bits.set(validity.segment(), row, true);
    }

    /// The finished column, which the caller releases. Once.
    Column column() {
        return rows == 0
                ? Columns.empty(type)
                : FixedWidthColumn.of(type, rows, data.retain(), validity.retain(), 0, Column.UNKNOWN_NULLS);
    }

    @Override
    public void close() {
        validity.release();
        data.release();
    }
}
