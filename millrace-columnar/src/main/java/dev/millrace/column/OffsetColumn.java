package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Values of varying length: `length + 1` ascending offsets define the start and end of each value in the underlying
/// bytes or elements. Offsets have 32 or 64 bits, which [#start] and [#end] hide. The first offset of a view need not
/// be 0. A null value usually has length 0, but need not.
public abstract sealed class OffsetColumn extends Column permits ListColumn, MapColumn, VariableWidthColumn {
    final Buffer offsets;
    final long offset;

    private final int offsetWidth;
    private final boolean wide;
    private final MemorySegment bounds;

    /// @param offsetWidth 4 or 8
    /// @param offset the first value's index in `offsets` and in `validity`
    OffsetColumn(
            DataType type,
            long length,
            Buffer offsets,
            int offsetWidth,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(type, length, validity, offset, nullCount);
        this.offsets = offsets;
        this.offset = offset;
        this.offsetWidth = offsetWidth;
        this.wide = offsetWidth == Long.BYTES;
        // Arrow allows a column without values to omit its single offset.
        this.bounds = length == 0
                ? MemorySegment.NULL
                : offsets.seal().segment().asSlice(offset * offsetWidth, (length + 1) * offsetWidth);
    }

    /// The start of the value: a byte position, or an index of the elements.
    public final long start(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return wide ? bounds.getAtIndex(JAVA_LONG, index) : bounds.getAtIndex(JAVA_INT, index);
    }

    /// The end of the value, exclusive.
    public final long end(long index) {
        return start(index + 1);
    }

    /// The starts of `count` values starting at `from`, which may be one more than there are: for loops over many
    /// values.
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

    /// The start of the first value; 0 if there are none.
    public final long first() {
        return length == 0 ? 0 : start(0);
    }

    /// The distance from the start of the first value to the end of the last.
    public final long extent() {
        return length == 0 ? 0 : start(length) - start(0);
    }

    /// The width of an offset: 4 or 8 bytes.
    public final int offsetWidth() {
        return offsetWidth;
    }

    /// The offsets of exactly this view, `length + 1` of them (none for an empty view). Read-only.
    public final MemorySegment offsets() {
        return bounds;
    }

    /// The offsets: one more than values, of [#offsetWidth] bytes each.
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
