package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// 64-bit integers and types stored as such: int64, uint64, time[us|ns], timestamp, duration.
public final class LongColumn extends FixedWidthColumn {
    /// A view of buffers, which the caller keeps owning.
    public LongColumn(DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Long.BYTES, length, data, validity, offset, nullCount);
    }

    /// The value; undefined if [#isNull]. For uint64 its bits.
    public long get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_LONG, index);
    }

    /// A copy of the values in stored form; null values are undefined.
    public long[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_LONG);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, long[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_LONG, from * Long.BYTES, target, at, count);
    }

    /// A column of the same type with `function` applied to every non-null value; nulls stay null.
    public LongColumn map(Allocator allocator, LongUnaryOperator function) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        Buffer mapped = allocator.allocate(length * Long.BYTES);
        boolean nullable = hasNulls();
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(mapped);
            MemorySegment target = mapped.segment();
            for (long i = 0; i < length; i++) {
                if (!nullable || !isNull(i)) {
                    target.setAtIndex(JAVA_LONG, i, function.applyAsLong(values.getAtIndex(JAVA_LONG, i)));
                }
            }
            return scope.keep(new LongColumn(type, length, mapped, validityFromZero(allocator), 0, UNKNOWN_NULLS));
        }
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : JavaValues.ofLong(type, get(index));
    }

    @Override
    public LongColumn slice(long from, long count) {
        checkSlice(from, count);
        return new LongColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
