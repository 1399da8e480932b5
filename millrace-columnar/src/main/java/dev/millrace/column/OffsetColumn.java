package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Values of differing lengths: `length + 1` ascending offsets say where each value starts and ends in what lies below
/// (bytes, or a column of elements). Offsets have 32 or 64 bits; [#start] and [#end] hide which. The first offset of a
/// view need not be 0. A null value usually has no extent, but it may have one.
public abstract sealed class OffsetColumn extends Column permits ListColumn, MapColumn, VariableWidthColumn {
    final Buffer offsets;
    final long offset;

    private final int offsetWidth;
    private final boolean wide;
    private final MemorySegment bounds;

    /// @param offsetWidth 4 or 8
    /// @param offset the first value's index in `offsets` and in `validity`
    OffsetColumn(
            DataType type, long length, Buffer offsets, int offsetWidth, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, length, validity, offset, nullCount);
        this.offsets = offsets;
        this.offset = offset;
        this.offsetWidth = offsetWidth;
        this.wide = offsetWidth == Long.BYTES;
        // Arrow allows a column without values to come without its single offset.
        this.bounds = length == 0
                ? MemorySegment.NULL
                : offsets.seal().segment().asSlice(offset * offsetWidth, (length + 1) * offsetWidth);
    }

    /// Where the value starts: a byte, or an index of the elements.
    public final long start(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return wide ? bounds.getAtIndex(JAVA_LONG, index) : bounds.getAtIndex(JAVA_INT, index);
    }

    /// Where the value ends, exclusively.
    public final long end(long index) {
        return start(index + 1);
    }

    /// Where values from `from` on start, `count` of them, which may be one more than there are: for loops over many.
    public final void starts(long from, int count, long[] starts) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        if (wide) {
            MemorySegment.copy(bounds, JAVA_LONG, from * Long.BYTES, starts, 0, count);
        } else {
            for (int i = 0; i < count; i++) {
                starts[i] = bounds.getAtIndex(JAVA_INT, from + i);
            }
        }
    }

    /// Where the first value starts; 0 when there are none.
    public final long first() {
        return length == 0 ? 0 : start(0);
    }

    /// From the first value's start to the last one's end.
    public final long extent() {
        return length == 0 ? 0 : start(length) - start(0);
    }

    /// 4 or 8 bytes.
    public final int offsetWidth() {
        return offsetWidth;
    }

    /// The offsets of exactly this view, `length + 1` of them (none for an empty view). Read-only.
    public final MemorySegment offsets() {
        return bounds;
    }

    /// Where values begin and end: one more 32-bit offset than values.
    public final Buffer offsetsBuffer() {
        return offsets;
    }

    /// The first value's index in [#offsetsBuffer].
    public final long offset() {
        return offset;
    }

    final long offsetBytes() {
        return length == 0 ? 0 : (length + 1) * offsetWidth;
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        action.accept(offsets);
    }
}
