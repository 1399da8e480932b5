package dev.millrace.internal.expression;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.math.BigDecimal;
import java.math.BigInteger;

/// The type in which two operands meet.
///
/// It is the type that [Types] unifies them to, a dictionary counting as its values' type, with the leave that literals
/// have: an integer literal that is not negative becomes a uint64 beside one, and beside a decimal it takes only the
/// digits it has. So int32 with float32 is float64, int16 with float32 is float32, signed with unsigned the next signed
/// type that holds both (int64 where a uint64 is one of them, and a value above that is an error).
final class TypePromotion {
    static final int MAX_PRECISION = 38;

    private TypePromotion() {}

    /// The values' type of a dictionary, else the type itself.
    static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// The common type of two operands, or null if there is none.
    static DataType common(DataType left, DataType right) {
        return Types.common(plain(left), plain(right)).orElse(null);
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

    /// The decimal that holds every value of the integer type.
    static DataType.Decimal decimalOf(DataType.Int type) {
        BigInteger most = BigInteger.ONE.shiftLeft(type.signed() ? type.bits() - 1 : type.bits());
        return DataType.decimal(most.toString().length(), 0);
    }

    static TimeUnit finer(TimeUnit a, TimeUnit b) {
        return a.perSecond() > b.perSecond() ? a : b;
    }
}
