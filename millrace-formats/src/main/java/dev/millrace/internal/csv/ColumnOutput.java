package dev.millrace.internal.csv;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The buffers of a column that is being parsed. [#close] releases those that no column has taken over.
final class ColumnOutput implements AutoCloseable {
    private final Allocator allocator;
    private final int rows;
    private final Misfits misfits;
    private final List<Buffer> buffers = new ArrayList<>(3);
    /// Null if there are no nulls so far.
    private @Nullable Buffer validity;

    private long nullCount;

    /// Handles a value that does not fit the column's type: an error, or null.
    interface Misfits {
        void found(int row);
    }

    ColumnOutput(Allocator allocator, int rows, Misfits misfits) {
        this.allocator = allocator;
        this.rows = rows;
        this.misfits = misfits;
    }

    Buffer buffer(long bytes) {
        Buffer made = allocator.allocate(Math.max(8, bytes));
        buffers.add(made);
        return made;
    }

    void setNull(int row) {
        Buffer validity = this.validity;
        if (validity == null) {
            validity = buffer((rows + 7) / 8);
            validity.segment().fill((byte) 0xFF);
            this.validity = validity;
        }
        Bits.set(validity.segment(), row, false);
        nullCount++;
    }

    void setMisfit(int row) {
        misfits.found(row);
        setNull(row);
    }

    /// Transfers the buffers to the column that was created from them.
    <C extends Column> C keep(C column) {
        buffers.clear();
        return column;
    }

    Column fixed(DataType type, Buffer data) {
        return keep(FixedWidthColumn.of(type, rows, data, validity, 0, nullCount));
    }

    @Nullable
    Buffer validity() {
        return validity;
    }

    long nullCount() {
        return nullCount;
    }

    @Override
    public void close() {
        buffers.forEach(Buffer::release);
        buffers.clear();
    }
}
