package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/// float64.
public final class DoubleColumn extends FixedWidthColumn {
    /// A view of buffers, which the caller keeps owning.
    public DoubleColumn(
            DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Double.BYTES, length, data, validity, offset, nullCount);
    }

    /// The value; undefined if [#isNull].
    public double get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_DOUBLE, index);
    }

    /// A copy of the values; null values are undefined.
    public double[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_DOUBLE);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, double[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_DOUBLE, from * Double.BYTES, target, at, count);
    }

    /// A column of the same type with `function` applied to every non-null value; nulls stay null.
    public DoubleColumn map(Allocator allocator, DoubleUnaryOperator function) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        Buffer mapped = allocator.allocate(length * Double.BYTES);
        boolean nullable = hasNulls();
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(mapped);
            MemorySegment target = mapped.segment();
            for (long i = 0; i < length; i++) {
                if (!nullable || !isNull(i)) {
                    target.setAtIndex(JAVA_DOUBLE, i, function.applyAsDouble(values.getAtIndex(JAVA_DOUBLE, i)));
                }
            }
            return scope.keep(new DoubleColumn(type, length, mapped, validityFromZero(allocator), 0, UNKNOWN_NULLS));
        }
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public DoubleColumn slice(long from, long count) {
        checkSlice(from, count);
        return new DoubleColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
