package dev.millrace.column;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Builds a [NullColumn].
public final class NullBuilder extends ColumnBuilder {
    NullBuilder(Allocator allocator) {
        super(allocator, DataType.NULL);
    }

    @Override
    public void appendNull() {
        length++;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value != null) {
            throw JavaValues.misfit(type, value, "nothing but null");
        }
        length++;
    }

    @Override
    public NullColumn build() {
        return new NullColumn(length);
    }

    @Override
    public long sizeBytes() {
        return 0;
    }
}
