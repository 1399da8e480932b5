package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/// float32.
public final class FloatColumn extends FixedWidthColumn {
    /// A view of buffers, which the caller keeps owning.
    public FloatColumn(
            DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Float.BYTES, length, data, validity, offset, nullCount);
    }

    /// The value; undefined if [#isNull].
    public float get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_FLOAT, index);
    }

    /// A copy of the values; null values are undefined.
    public float[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_FLOAT);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, float[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_FLOAT, from * Float.BYTES, target, at, count);
    }

    /// A column of the same type with `function` applied to every non-null value; nulls stay null.
    public FloatColumn map(Allocator allocator, DoubleUnaryOperator function) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        Buffer mapped = allocator.allocate(length * Float.BYTES);
        boolean nullable = hasNulls();
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(mapped);
            MemorySegment target = mapped.segment();
            for (long i = 0; i < length; i++) {
                if (!nullable || !isNull(i)) {
                    target.setAtIndex(JAVA_FLOAT, i, (float) function.applyAsDouble(values.getAtIndex(JAVA_FLOAT, i)));
                }
            }
            return scope.keep(new FloatColumn(type, length, mapped, validityFromZero(allocator), 0, UNKNOWN_NULLS));
        }
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public FloatColumn slice(long from, long count) {
        checkSlice(from, count);
        return new FloatColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
