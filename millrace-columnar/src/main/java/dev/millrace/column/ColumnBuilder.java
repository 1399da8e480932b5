package dev.millrace.column;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Builds a column value by value, growing as needed; single use, one thread. [#build] returns the column with one
/// reference to each of its buffers; [#close] without build releases everything, after build it does nothing.
///
/// The validity bitmap is allocated at the first null, so columns without nulls have none.
public abstract sealed class ColumnBuilder implements AutoCloseable
        permits BooleanBuilder,
                DictionaryBuilder,
                FixedListBuilder,
                FixedWidthBuilder,
                NullBuilder,
                OffsetBuilder,
                StructBuilder,
                VariableTensorBuilder {
    final Allocator allocator;
    final DataType type;
    long length;
    private @Nullable GrowingBuffer validity;
    private long validityBits;
    private long nullCount;

    ColumnBuilder(Allocator allocator, DataType type) {
        this.allocator = allocator;
        this.type = type;
    }

    /// A builder for any type; `expected` values fit without growing.
    public static ColumnBuilder of(Allocator allocator, DataType type, long expected) {
        return switch (type) {
            case DataType.Null _ -> new NullBuilder(allocator);
            case DataType.Bool _ -> new BooleanBuilder(allocator, expected);
            case DataType.Int integer ->
                switch (integer.bits()) {
                    case 8 -> new ByteBuilder(allocator, type, expected);
                    case 16 -> new ShortBuilder(allocator, type, expected);
                    case 32 -> new IntBuilder(allocator, type, expected);
                    default -> new LongBuilder(allocator, type, expected);
                };
            case DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> new HalfBuilder(allocator, type, expected);
                    case 32 -> new FloatBuilder(allocator, type, expected);
                    default -> new DoubleBuilder(allocator, type, expected);
                };
            case DataType.Decimal decimal -> new DecimalBuilder(allocator, decimal, expected);
            case DataType.Date _ -> new IntBuilder(allocator, type, expected);
            case DataType.Time time ->
                switch (time.unit()) {
                    case SECOND, MILLISECOND -> new IntBuilder(allocator, type, expected);
                    case MICROSECOND, NANOSECOND -> new LongBuilder(allocator, type, expected);
                };
            case DataType.Timestamp _, DataType.Duration _ -> new LongBuilder(allocator, type, expected);
            case DataType.Utf8 _ -> new StringColumnBuilder(allocator, expected);
            case DataType.Binary _ -> new BinaryBuilder(allocator, expected);
            case DataType.ListOf list -> new ListBuilder(allocator, list, expected);
            case DataType.FixedList list -> new FixedListBuilder(allocator, list, expected);
            case DataType.Struct struct -> new StructBuilder(allocator, struct, expected);
            case DataType.MapOf map -> new MapBuilder(allocator, map, expected);
            case DataType.Dictionary dictionary -> new DictionaryBuilder(allocator, dictionary, expected);
            case DataType.Tensor tensor -> new TensorBuilder(allocator, tensor, expected);
            case DataType.VariableTensor tensor -> new VariableTensorBuilder(allocator, tensor, expected);
        };
    }

    /// The number of appended values, including nulls.
    public final long length() {
        return length;
    }

    /// The type of the column.
    public DataType type() {
        return type;
    }

    /// Appends a null.
    public abstract void appendNull();

    /// Appends this many nulls.
    public void appendNulls(long count) {
        for (long i = 0; i < count; i++) {
            appendNull();
        }
    }

    /// Appends a Java value (see [Column#value] for the types; numbers may be of any class whose value fits) or null.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER, naming value and type if it does not fit; only
    ///     [#truncate] and [#close] may be called then
    public abstract void append(@Nullable Object value);

    /// Goes back to the first `values` values; also allowed after an append that did not fit, which may have appended a
    /// part of the value.
    public void truncate(long values) {
        for (long i = values; i < length && validity != null && nullCount > 0; i++) {
            nullCount -= Bits.get(validity.memory(), i) ? 0 : 1;
        }
        length = Math.min(length, values);
    }

    /// The column, with one reference to each buffer. The builder cannot be used afterwards.
    public abstract Column build();

    /// The number of bytes of the values so far, as in [Column#sizeBytes].
    public abstract long sizeBytes();

    /// Records that the value at `length` is null; the subclass advances `length`.
    final void markNull() {
        if (validity == null) {
            GrowingBuffer bits = new GrowingBuffer(allocator, 0);
            Bits.fill(bits.reserve(Math.max(64, (length + 8) / 8 * 2)), 0, length, true);
            validityBits = bits.capacity() * 8;
            validity = bits;
        }
        growValidity(validity, length + 1);
        Bits.set(validity.memory(), length, false);
        nullCount++;
    }

    /// Records that the value at `length` is not null; cheap while nothing is null.
    final void markValid() {
        if (validity != null) {
            growValidity(validity, length + 1);
            Bits.set(validity.memory(), length, true);
        }
    }

    /// Records that `count` values starting at `length` are not null.
    final void markValid(long count) {
        if (validity != null) {
            growValidity(validity, length + count);
            Bits.fill(validity.memory(), length, count, true);
        }
    }

    /// Null if no value is null, also if the only nulls were removed by [#truncate].
    final @Nullable Buffer takeValidity() {
        if (validity == null || nullCount == 0) {
            closeValidity();
            return null;
        }
        Buffer taken = validity.take();
        validity = null;
        return taken;
    }

    final long nullCount() {
        return nullCount;
    }

    final long validityBytes() {
        return nullCount == 0 ? 0 : (length + 7) / 8;
    }

    private void growValidity(GrowingBuffer bitmap, long bits) {
        if (bits > validityBits) {
            bitmap.size(bitmap.capacity());
            bitmap.reserveTotal((bits + 7) / 8);
            validityBits = bitmap.capacity() * 8;
        }
    }

    private void closeValidity() {
        if (validity != null) {
            validity.close();
            validity = null;
        }
    }

    @Override
    public void close() {
        closeValidity();
    }
}
