package dev.millrace.column;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// Makes a column value by value, growing as needed; one use, one thread. [#build] hands out the column with one
/// reference to each of its buffers; [#close] without build releases everything.
///
/// The validity bitmap is made at the first null, so columns without nulls never pay for one.
public abstract sealed class ColumnBuilder implements AutoCloseable permits LongBuilder {
    final Allocator allocator;
    final DataType type;
    long length;
    private Buffer validity;
    private long nullCount;

    ColumnBuilder(Allocator allocator, DataType type) {
        this.allocator = allocator;
        this.type = type;
    }

    public final long length() {
        return length;
    }

    public final DataType type() {
        return type;
    }

    public abstract void appendNull();

    /// Appends a Java value (see [Column#value] for the types; numbers may be of any class whose value fits) or null.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, naming value and type when it does not fit
    public abstract void append(Object value);

    /// The column, with one reference to each buffer. The builder is used up.
    public abstract Column build();

    /// Bytes of the values so far, as [Column#sizeBytes] would say.
    public abstract long sizeBytes();

    /// Notes that the value at `length` is null; the subclass advances `length`.
    final void markNull() {
        if (validity == null) {
            validity = allocator.allocate(Math.max(64, (length + 8) / 8 * 2));
            Bits.fill(validity.segment(), 0, length, true);
        }
        growValidity(length + 1);
        Bits.set(validity.segment(), length, false);
        nullCount++;
    }

    /// Notes that the value at `length` is there; cheap while nothing is null.
    final void markValid() {
        if (validity != null) {
            growValidity(length + 1);
            Bits.set(validity.segment(), length, true);
        }
    }

    final Buffer takeValidity() {
        Buffer taken = validity;
        validity = null;
        return taken;
    }

    final long nullCount() {
        return nullCount;
    }

    private void growValidity(long bits) {
        if (bits > validity.size() * 8) {
            validity = grow(validity, validity.size() * 2);
        }
    }

    /// A larger buffer with the same contents; the old one is released.
    final Buffer grow(Buffer buffer, long bytes) {
        Buffer larger = allocator.allocate(bytes);
        java.lang.foreign.MemorySegment.copy(buffer.segment(), 0, larger.segment(), 0, buffer.size());
        buffer.release();
        return larger;
    }

    @Override
    public void close() {
        if (validity != null) {
            validity.release();
            validity = null;
        }
    }
}
