package dev.millrace.column;

import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// A column without values: all null, no memory.
public final class NullColumn extends Column {
    /// This many nulls; they take no memory.
    public NullColumn(long length) {
        super(DataType.NULL, length, null, 0, 0);
    }

    @Override
    public boolean hasNulls() {
        return length > 0;
    }

    @Override
    public long nullCount() {
        return length;
    }

    @Override
    public boolean isNull(long index) {
        return true;
    }

    @Override
    public @Nullable Object value(long index) {
        return null;
    }

    @Override
    public NullColumn slice(long from, long count) {
        checkSlice(from, count);
        return new NullColumn(count);
    }

    @Override
    public long sizeBytes() {
        return 0;
    }
}
