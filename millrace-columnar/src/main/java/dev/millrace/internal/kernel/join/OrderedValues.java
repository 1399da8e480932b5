package dev.millrace.internal.kernel.join;

import static java.util.Objects.requireNonNull;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.AsOf;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;

/// The column that defines nearness in an as-of join, as 64-bit words that compare like its values.
final class OrderedValues {
    private static final int MAX_DIGITS = 18;
    private static final int NANO_DIGITS = 9;
    private static final BigDecimal MAX_APART =
            new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE));

    private OrderedValues() {}

    /// The type in which values of both sides are compared.
    ///
    /// @throws MillraceException culprit USER if there is none, or if the tolerance does not fit it
    static DataType common(AsOf asOf, DataType left, DataType right) {
        DataType a = KeyForm.plain(left);
        DataType b = KeyForm.plain(right);
        DataType common = Types.common(a, b).orElse(null);
        if (common instanceof DataType.Float) {
            common = DataType.FLOAT64;
        }
        boolean ordered = switch (common) {
            case DataType.Int _,
                    DataType.Float _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _ -> true;
            case DataType.Decimal decimal -> decimal.precision() <= MAX_DIGITS;
            case null, default -> false;
        };
        if (common == null || !ordered) {
            throw MillraceException.user("join: as of '" + asOf.left() + "', which is " + left + " on the left, and '"
                    + asOf.right() + "', which is " + right
                    + " on the right, cannot be: both must be numbers, or both times, with at most " + MAX_DIGITS
                    + " digits. Cast one of them first.");
        }
        if (asOf.tolerance() != null) {
            requireTolerance(asOf, common);
        }
        return common;
    }

    /// The maximum distance of matching words, as an unsigned number; fractions of a unit are ignored.
    ///
    /// @param asOf with a tolerance, for values of this type, which are not floats
    static long tolerance(AsOf asOf, DataType type) {
        requireTolerance(asOf, type);
        BigDecimal units = switch (requireNonNull(asOf.tolerance(), "asked for with a tolerance only")) {
            case Duration time -> {
                BigDecimal nanos =
                        BigDecimal.valueOf(time.getSeconds(), -NANO_DIGITS).add(BigDecimal.valueOf(time.getNano()));
                yield nanos.divide(BigDecimal.valueOf(nanosOf(type)), 0, RoundingMode.FLOOR);
            }
            case Number far when Double.isInfinite(far.doubleValue()) -> MAX_APART;
            case Number far ->
                new BigDecimal(far.toString())
                        .movePointRight(type instanceof DataType.Decimal decimal ? decimal.scale() : 0);
            default -> throw MillraceException.internal("a tolerance of " + asOf.tolerance());
        };
        return units.min(MAX_APART).toBigInteger().longValue();
    }

    private static void requireTolerance(AsOf asOf, DataType type) {
        Serializable tolerance = asOf.tolerance();
        boolean number =
                type instanceof DataType.Int || type instanceof DataType.Float || type instanceof DataType.Decimal;
        if (number != tolerance instanceof Number) {
            throw MillraceException.user("join: '" + asOf.left() + "' is " + type + ", so rows are "
                    + (number ? "a number" : "a Duration") + " apart, and not " + tolerance + ".");
        }
    }

    private static long nanosOf(DataType type) {
        return switch (type) {
            case DataType.Date _ -> Duration.ofDays(1).toNanos();
            case DataType.Time(TimeUnit unit) -> nanosOf(unit);
            case DataType.Timestamp(TimeUnit unit, String _) -> nanosOf(unit);
            case DataType.Duration(TimeUnit unit) -> nanosOf(unit);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> 1;
        };
    }

    private static long nanosOf(TimeUnit unit) {
        return TimeUnit.NANOSECOND.perSecond() / unit.perSecond();
    }

    /// The column as that type, which the caller releases.
    static Column as(Allocator allocator, Column column, DataType type) {
        return WidenKernel.to(allocator, column, type);
    }

    /// The words of rows `from` to `from + count`; undefined for null rows.
    static void read(Column column, long from, int count, long[] words) {
        boolean signed = !(column.type() instanceof DataType.Int integer) || integer.signed();
        switch (column) {
            case LongColumn longs -> {
                long flip = signed ? 0 : Long.MIN_VALUE;
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : longs.get(from + i) ^ flip;
                }
            }
            case IntColumn ints -> {
                long mask = signed ? -1L : 0xFFFFFFFFL;
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : ints.get(from + i) & mask;
                }
            }
            case ShortColumn shorts -> {
                long mask = signed ? -1L : 0xFFFFL;
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : shorts.get(from + i) & mask;
                }
            }
            case ByteColumn bytes -> {
                long mask = signed ? -1L : 0xFFL;
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : bytes.get(from + i) & mask;
                }
            }
            case DoubleColumn doubles -> {
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : ofDouble(doubles.get(from + i));
                }
            }
            case DecimalColumn decimals -> {
                for (int i = 0; i < count; i++) {
                    words[i] = column.isNull(from + i) ? 0 : decimals.low(from + i);
                }
            }
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FloatColumn _,
                    HalfColumn _,
                    TensorColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ ->
                throw new IllegalArgumentException(column.type().toString());
        }
    }

    /// One representation of zero and of NaN, which is the largest.
    private static long ofDouble(double value) {
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    static double toDouble(long word) {
        return Double.longBitsToDouble(word ^ ((word >> 63) & Long.MAX_VALUE));
    }
}
