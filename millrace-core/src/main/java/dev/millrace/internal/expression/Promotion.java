package dev.millrace.internal.expression;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;

/// The type in which two operands meet.
///
/// - Null with T is T; a dictionary counts as its values' type.
/// - Integers: the wider; signed with unsigned, the next signed type that holds both. uint64 with a signed integer has
///   none, except with a literal that is not negative, which becomes a uint64.
/// - Integer with float: the smallest float, not below the operand's, that holds every value of the integer exactly:
///   int8 with float16 is float16, int16 with float32 is float32, int32 with float32 is float64; int64 is float64.
/// - Decimal with integer is a decimal that holds both, decimal with float is float64.
/// - Timestamps, times and durations: the finer unit; date with timestamp is the timestamp.
final class Promotion {
    static final int MAX_PRECISION = 38;

    private Promotion() {}

    /// The values' type of a dictionary, else the type itself.
    static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// The common type of two operands, or null if there is none.
    static DataType common(DataType leftType, DataType rightType) {
        DataType left = plain(leftType);
        DataType right = plain(rightType);
        if (left.equals(right) || right instanceof DataType.Null) {
            return left;
        }
        return switch (left) {
            case DataType.Null _ -> right;
            case DataType.Int a when right instanceof DataType.Int b -> integers(a, b);
            case DataType.Int a when right instanceof DataType.Float b -> integerAndFloat(a, b);
            case DataType.Float a when right instanceof DataType.Int b -> integerAndFloat(b, a);
            case DataType.Float a when right instanceof DataType.Float b -> a.bits() > b.bits() ? a : b;
            case DataType.Decimal a when right instanceof DataType.Decimal b -> decimals(a, b);
            case DataType.Decimal a when right instanceof DataType.Int b -> decimals(a, decimalOf(b));
            case DataType.Int a when right instanceof DataType.Decimal b -> decimals(decimalOf(a), b);
            case DataType.Decimal _ when right instanceof DataType.Float -> DataType.FLOAT64;
            case DataType.Float _ when right instanceof DataType.Decimal -> DataType.FLOAT64;
            case DataType.Date _ when right instanceof DataType.Timestamp t && t.zone() == null -> right;
            case DataType.Timestamp t when right instanceof DataType.Date && t.zone() == null -> left;
            case DataType.Timestamp a
            when right instanceof DataType.Timestamp b && (a.zone() == null) == (b.zone() == null) ->
                new DataType.Timestamp(finer(a.unit(), b.unit()), a.zone());
            case DataType.Time a when right instanceof DataType.Time b -> DataType.time(finer(a.unit(), b.unit()));
            case DataType.Duration a when right instanceof DataType.Duration b ->
                DataType.duration(finer(a.unit(), b.unit()));
            case DataType.ListOf a when right instanceof DataType.ListOf b -> {
                DataType element = common(a.element(), b.element());
                yield element == null ? null : DataType.list(element);
            }
            default -> null;
        };
    }

    /// As [#common], with the leave that literals have: an integer that is not negative becomes a uint64 beside one,
    /// and beside a decimal it takes only the digits it has.
    static DataType common(Expression left, DataType leftType, Expression right, DataType rightType) {
        return common(besides(left, leftType, rightType), besides(right, rightType, leftType));
    }

    /// The type that an operand has beside another of type `other`.
    static DataType besides(Expression operand, DataType type, DataType other) {
        if (operand instanceof Literal literal && type instanceof DataType.Int && literal.value() instanceof Number n) {
            if (plain(other).equals(DataType.UINT64) && n.longValue() >= 0) {
                return DataType.UINT64;
            }
            if (plain(other) instanceof DataType.Decimal) {
                return DataType.decimal(BigDecimal.valueOf(n.longValue()).precision(), 0);
            }
        }
        return plain(type);
    }

    private static DataType integers(DataType.Int a, DataType.Int b) {
        if (a.signed() == b.signed()) {
            return a.bits() > b.bits() ? a : b;
        }
        DataType.Int signed = a.signed() ? a : b;
        DataType.Int unsigned = a.signed() ? b : a;
        if (signed.bits() > unsigned.bits()) {
            return signed;
        }
        return unsigned.bits() == 64 ? null : new DataType.Int(2 * unsigned.bits(), true);
    }

    private static DataType integerAndFloat(DataType.Int integer, DataType.Float real) {
        int needed = integer.bits() == 8 ? 16 : integer.bits() == 16 ? 32 : 64;
        return new DataType.Float(Math.max(needed, real.bits()));
    }

    /// The decimal that holds every value of the integer type.
    static DataType.Decimal decimalOf(DataType.Int type) {
        BigInteger most = BigInteger.ONE.shiftLeft(type.signed() ? type.bits() - 1 : type.bits());
        return DataType.decimal(most.toString().length(), 0);
    }

    private static DataType decimals(DataType.Decimal a, DataType.Decimal b) {
        int scale = Math.max(a.scale(), b.scale());
        int whole = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
        return whole + scale > MAX_PRECISION ? null : DataType.decimal(whole + scale, scale);
    }

    static TimeUnit finer(TimeUnit a, TimeUnit b) {
        return a.perSecond() > b.perSecond() ? a : b;
    }
}
