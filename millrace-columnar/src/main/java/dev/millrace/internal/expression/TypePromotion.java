package dev.millrace.internal.expression;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// The common type of two operands.
///
/// It is the type that [Types] unifies them to, with a dictionary replaced by its value type, and with an exception for
/// literals: a non-negative integer literal becomes uint64 next to a uint64, and next to a decimal it counts only the
/// digits it has. So int32 with float32 is float64, int16 with float32 is float32, signed with unsigned is the next
/// signed type that holds both (int64 with a uint64, for which a larger value is an error).
final class TypePromotion {
    static final int MAX_PRECISION = 38;

    private TypePromotion() {}

    /// The value type of a dictionary, else the type itself.
    static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// The common type of two operands, or null if there is none.
    static @Nullable DataType common(DataType left, DataType right) {
        return Types.common(plain(left), plain(right)).orElse(null);
    }

    /// The type of an operand next to another of type `other`.
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

    /// The decimal type that represents every value of the integer type.
    static DataType.Decimal decimalOf(DataType.Int type) {
        BigInteger most = BigInteger.ONE.shiftLeft(type.signed() ? type.bits() - 1 : type.bits());
        return DataType.decimal(most.toString().length(), 0);
    }

    static TimeUnit finer(TimeUnit a, TimeUnit b) {
        return a.perSecond() > b.perSecond() ? a : b;
    }
}
