package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// 32-bit integers and types stored as such: int32, uint32, date, time[s|ms].
public final class IntColumn extends FixedWidthColumn {
    private final boolean unsigned;

    /// A view of buffers, which the caller keeps owning.
    public IntColumn(DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Integer.BYTES, length, data, validity, offset, nullCount);
        this.unsigned = type instanceof DataType.Int integer && !integer.signed();
    }

    /// The value; undefined if [#isNull]. For uint32 its bits.
    public int get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_INT, index);
    }

    /// The value as a long, zero-extended if the type is unsigned.
    public long toLong(long index) {
        return unsigned ? Integer.toUnsignedLong(get(index)) : get(index);
    }

    /// A copy of the values in stored form; null values are undefined.
    public int[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_INT);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, int[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_INT, from * Integer.BYTES, target, at, count);
    }

    /// A column of the same type with `function` applied to every non-null value; nulls stay null.
    public IntColumn map(Allocator allocator, IntUnaryOperator function) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        Buffer mapped = allocator.allocate(length * Integer.BYTES);
        boolean nullable = hasNulls();
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(mapped);
            MemorySegment target = mapped.segment();
            for (long i = 0; i < length; i++) {
                if (!nullable || !isNull(i)) {
                    target.setAtIndex(JAVA_INT, i, function.applyAsInt(values.getAtIndex(JAVA_INT, i)));
                }
            }
            return scope.keep(new IntColumn(type, length, mapped, validityFromZero(allocator), 0, UNKNOWN_NULLS));
        }
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : JavaValues.ofInt(type, get(index));
    }

    @Override
    public IntColumn slice(long from, long count) {
        checkSlice(from, count);
        return new IntColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
