package dev.millrace.column;

import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.lifetime.Releasable;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// `length` values of one [DataType], any of them null, in Arrow's layout. Immutable and thread-safe: the underlying
/// buffers are sealed, so that every segment it returns is read-only; a caller that wants to modify values copies them,
/// for example by `toArray`.
///
/// A column is a view without a reference of its own to the underlying buffers: a column from a builder comes with one
/// reference to each buffer, which a block takes over; [#slice] adds none. A caller that keeps a column beyond the life
/// of its holder calls [#retain] and later [#release].
///
/// Typed access is on the subclasses (`LongColumn.get`); there a null value is undefined, so check [#isNull] first
/// unless [#hasNulls] is false. [#value] is the boxed, slower access that works for every type.
public abstract sealed class Column implements Releasable
        permits BooleanColumn,
                DictionaryColumn,
                FixedListColumn,
                FixedWidthColumn,
                NullColumn,
                OffsetColumn,
                StructColumn,
                VariableTensorColumn {
    final DataType type;
    final long length;
    /// Arrow's validity bits (1: not null), or null if nothing is null.
    final @Nullable Buffer validity;
    /// The bit of the first value in `validity`.
    final long validityOffset;

    private final @Nullable MemorySegment validityBits;
    private long nullCount;
    private @Nullable Lifetime lifetime;

    Column(DataType type, long length, @Nullable Buffer validity, long validityOffset, long nullCount) {
        this.type = type;
        this.length = length;
        this.validity = nullCount == 0 ? null : validity;
        this.validityOffset = validityOffset;
        this.validityBits = this.validity == null ? null : this.validity.seal().segment();
        this.nullCount = validity == null ? 0 : nullCount;
    }

    /// The `nullCount` to pass if it is not known yet.
    public static final long UNKNOWN_NULLS = -1;

    /// The type of the values.
    public DataType type() {
        return type;
    }

    /// The number of values, including nulls.
    public final long length() {
        return length;
    }

    /// False only if no value is null; cheap.
    public boolean hasNulls() {
        return validity != null;
    }

    /// The number of nulls; counted on first use.
    public long nullCount() {
        if (nullCount < 0) {
            nullCount = length - Bits.count(Objects.requireNonNull(validityBits), validityOffset, length);
        }
        return nullCount;
    }

    /// Whether a value is null.
    public boolean isNull(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        if (validityBits == null) {
            return false;
        }
        long bit = validityOffset + index;
        return (validityBits.get(ValueLayout.JAVA_BYTE, bit >>> 3) >>> (bit & 7) & 1) == 0;
    }

    /// The value as a Java object, or null: Byte, Short, Integer, Long (unsigned types: the next larger one, uint64 a
    /// BigInteger), Float, Double, BigDecimal, Boolean, LocalDate, LocalTime, LocalDateTime or ZonedDateTime, Duration,
    /// String, byte[], List, Map (maps and structs, in order), [Tensor].
    public abstract @Nullable Object value(long index);

    /// Values `from` to `from + count`, without a copy.
    public abstract Column slice(long from, long count);

    /// The exact number of bytes of these values in Arrow's layout: the size of a copy of just this column.
    public abstract long sizeBytes();

    /// Calls `action` with every underlying buffer, including those of children; a buffer that is shared twice is
    /// passed twice.
    public void forEachBuffer(Consumer<Buffer> action) {
        if (validity != null) {
            action.accept(validity);
        }
    }

    /// Adds a reference to each buffer, for another holder.
    public final Column retain() {
        forEachBuffer(Buffer::retain);
        return this;
    }

    /// Releases the references that [#retain] added.
    @Override
    public final void release() {
        forEachBuffer(Buffer::release);
    }

    /// The validity buffer (bits start at [#validityOffset]), or null if nothing is null. For kernels and writers;
    /// read-only.
    public final @Nullable Buffer validityBuffer() {
        return validity;
    }

    /// The bit of the validity buffer that belongs to the first value.
    public final long validityOffset() {
        return validityOffset;
    }

    /// The validity of exactly this view with its first bit at 0, with one reference, or null if nothing is null: for a
    /// new column with the same nulls. Shared if the bits already start at 0, else copied.
    public final @Nullable Buffer validityFromZero(Allocator allocator) {
        if (validity == null || validityBits == null) {
            return null;
        }
        if (validityOffset == 0) {
            return validity.retain();
        }
        Buffer copy = allocator.allocate((length + 7) / 8);
        Bits.copy(validityBits, validityOffset, copy.segment(), 0, length);
        return copy;
    }

    /// Binds this view to a lifetime; a use after its end throws an error. Only views created for one call of a user
    /// function are bound, and only if lifetimes are checked.
    public final void bindTo(Lifetime life) {
        this.lifetime = life;
    }

    final void checkAlive() {
        if (lifetime != null) {
            lifetime.check();
        }
    }

    final void checkSlice(long from, long count) {
        if (from < 0 || count < 0 || from + count > length) {
            throw new IndexOutOfBoundsException("slice " + from + ".." + (from + count) + " of " + length + " values");
        }
    }

    long validityBytes() {
        return validity == null ? 0 : (length + 7) / 8;
    }
}
