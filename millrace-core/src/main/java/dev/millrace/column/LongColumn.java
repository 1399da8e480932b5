package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.memory.Buffer;
import dev.millrace.memory.Lifetimes;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// 64-bit integers and what is stored as such: int64, uint64, time[us|ns], timestamp, duration.
public final class LongColumn extends FixedWidthColumn {
    public LongColumn(DataType type, long length, Buffer data, Buffer validity, long offset, long nullCount) {
        super(type, Long.BYTES, length, data, validity, offset, nullCount);
    }

    /// The value; undefined where [#isNull]. For uint64 the bits as they are.
    public long get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_LONG, index);
    }

    public long[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_LONG);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, long[] target, int at, int count) {
        MemorySegment.copy(values, JAVA_LONG, from * Long.BYTES, target, at, count);
    }

    @Override
    public Object value(long index) {
        return isNull(index) ? null : JavaValues.ofLong(type, get(index));
    }

    @Override
    public LongColumn slice(long from, long count) {
        checkSlice(from, count);
        return new LongColumn(type, count, data, validity, offset() + from, hasNulls() ? UNKNOWN_NULLS : 0);
    }
}
