package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// The offsets of a column under construction: 32 bits each until one passes `widenAbove`, then all become 64 bits.
public abstract sealed class OffsetBuilder extends ColumnBuilder permits ListBuilder, MapBuilder, VariableWidthBuilder {
    /// The largest 32-bit offset. Tests pass a smaller one to trigger the change.
    static final long WIDEN_ABOVE = Integer.MAX_VALUE;

    private final long widenAbove;
    private final long expected;
    private GrowingBuffer offsets;
    private MemorySegment bounds;
    private long capacity;
    private boolean wide;

    OffsetBuilder(Allocator allocator, DataType type, long expected, long widenAbove) {
        super(allocator, type);
        this.widenAbove = widenAbove;
        this.expected = Math.max(8, expected);
        this.offsets = new GrowingBuffer(allocator, 0);
        this.bounds = offsets.memory();
    }

    /// Records that the value at `length` ends at `end`, and advances `length`.
    final void endAt(long end) {
        long at = ++length;
        if (at >= capacity || end > widenAbove && !wide) {
            makeRoom(end);
        }
        if (wide) {
            bounds.setAtIndex(JAVA_LONG, at, end);
        } else {
            bounds.setAtIndex(JAVA_INT, at, (int) end);
        }
    }

    private void makeRoom(long end) {
        if (capacity == 0) {
            bounds = offsets.reserveTotal((expected + 1) * Integer.BYTES);
            bounds.setAtIndex(JAVA_INT, 0, 0);
            capacity = expected + 1;
        }
        if (!wide && end > widenAbove) {
            GrowingBuffer wider = new GrowingBuffer(allocator, 0);
            MemorySegment target = wider.reserveTotal(capacity * Long.BYTES);
            for (long i = 0; i < length; i++) {
                target.setAtIndex(JAVA_LONG, i, bounds.getAtIndex(JAVA_INT, i));
            }
            offsets.close();
            offsets = wider;
            bounds = target;
            wide = true;
        }
        if (length == capacity) {
            offsets.size(length * offsetWidth());
            bounds = offsets.reserveTotal(capacity * 2 * offsetWidth());
            capacity *= 2;
        }
    }

    /// The start of the value at `index`.
    final long startOf(long index) {
        return index == 0 ? 0 : wide ? bounds.getAtIndex(JAVA_LONG, index) : bounds.getAtIndex(JAVA_INT, index);
    }

    final int offsetWidth() {
        return wide ? Long.BYTES : Integer.BYTES;
    }

    final Buffer takeOffsets() {
        return offsets.take();
    }

    final long offsetBytes() {
        return length == 0 ? 0 : (length + 1) * offsetWidth();
    }

    @Override
    public void close() {
        super.close();
        offsets.close();
    }
}
