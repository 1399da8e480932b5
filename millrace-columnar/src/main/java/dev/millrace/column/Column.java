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

/// `length` values of one [DataType], any of them null, in Arrow's layout. Immutable and thread-safe: the buffers below
/// it are sealed, so that every segment it shows is read-only; who wants to write copies, for example by `toArray`.
///
/// A column is a view. It carries no reference of its own to the buffers below it: a builder's column comes with one
/// reference to each buffer, which a block takes over; [#slice] adds none. Who keeps a column beyond its holder's
/// life calls [#retain] and later [#release].
///
/// Typed access is on the subclasses (`LongColumn.get`); the value under a null is undefined there, so ask [#isNull]
/// first unless [#hasNulls] is false. [#value] is the boxed, slower way that works for every type.
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
    /// Arrow's validity bits (1: a value is there), or null when nothing is null.
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

    /// The `nullCount` to pass when it is not known yet.
    public static final long UNKNOWN_NULLS = -1;

    /// What its values are.
    public DataType type() {
        return type;
    }

    /// How many values there are, nulls counted.
    public final long length() {
        return length;
    }

    /// False only if no value is null; cheap.
    public boolean hasNulls() {
        return validity != null;
    }

    /// How many of them are null; counted when first asked for.
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

    /// Exact bytes of these values in Arrow's layout: what a copy of just this column would take.
    public abstract long sizeBytes();

    /// Every buffer below this column, children included; a buffer shared twice comes twice.
    public void forEachBuffer(Consumer<Buffer> action) {
        if (validity != null) {
            action.accept(validity);
        }
    }

    /// One more reference to each buffer, for a holder of its own.
    public final Column retain() {
        forEachBuffer(Buffer::retain);
        return this;
    }

    /// Gives the references back that [#retain] took.
    @Override
    public final void release() {
        forEachBuffer(Buffer::release);
    }

    /// The validity buffer (bits from [#validityOffset]), or null when nothing is null. For kernels and writers;
    /// read-only.
    public final @Nullable Buffer validityBuffer() {
        return validity;
    }

    /// The bit of the validity buffer that belongs to the first value.
    public final long validityOffset() {
        return validityOffset;
    }

    /// The validity of exactly this view with its first bit at 0, holding one reference, or null when nothing is null:
    /// for a new column of the same nulls. Shared where the bits already start at 0, else copied.
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

    /// Binds this view to a lifetime; a use after its end throws an error with a sentence. Only views created for one
    /// user's function are bound, and only when lifetimes are checked.
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
