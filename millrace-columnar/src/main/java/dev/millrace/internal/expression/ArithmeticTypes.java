package dev.millrace.internal.expression;

import dev.millrace.expression.Arithmetic;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Result types of arithmetic.
///
/// Decimals: `+ -` keep the larger scale and gain a digit, `*` adds precisions and scales, `/` keeps at least six
/// fractional digits; if the result needs more than 38 digits, the scale is reduced, to no less than six, and the value
/// is rounded half up. Times: timestamp - timestamp is a duration, timestamp or date plus or minus a duration is a
/// timestamp, date - date is a `duration[s]`, and durations may be added, scaled by integers and divided by each other.
final class ArithmeticTypes {
    private static final int MIN_SCALE = 6;

    private ArithmeticTypes() {}

    /// The type, or null if the operator does not support these operands.
    static @Nullable DataType result(Arithmetic node, DataType leftType, DataType rightType) {
        ArithmeticOperator operator = node.operator();
        DataType left = TypePromotion.besides(node.left(), leftType, rightType);
        DataType right = TypePromotion.besides(node.right(), rightType, leftType);
        DataType numbers = numeric(operator, left, right);
        return numbers != null ? numbers : temporal(operator, left, right);
    }

    private static @Nullable DataType numeric(ArithmeticOperator operator, DataType left, DataType right) {
        if (left instanceof DataType.Null && right instanceof DataType.Null) {
            return operator == ArithmeticOperator.DIVIDE ? DataType.FLOAT64 : DataType.INT64;
        }
        DataType common = TypePromotion.common(left, right);
        return switch (common) {
            case DataType.Int _ -> operator == ArithmeticOperator.DIVIDE ? DataType.FLOAT64 : common;
            case DataType.Float _ -> common;
            case DataType.Decimal _ -> decimal(operator, asDecimal(left, right), asDecimal(right, left));
            case null ->
                left instanceof DataType.Decimal a && right instanceof DataType.Decimal b
                        ? decimal(operator, a, b)
                        : null;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    static DataType.Decimal asDecimal(DataType type, DataType other) {
        return switch (type) {
            case DataType.Decimal decimal -> decimal;
            case DataType.Int integer -> TypePromotion.decimalOf(integer);
            // A null operand takes the type of the other.
            default -> (DataType.Decimal) other;
        };
    }

    private static DataType decimal(ArithmeticOperator operator, DataType.Decimal a, DataType.Decimal b) {
        int wholeA = a.precision() - a.scale();
        int wholeB = b.precision() - b.scale();
        int scale = Math.max(a.scale(), b.scale());
        return switch (operator) {
            case ADD, SUBTRACT -> bounded(Math.max(wholeA, wholeB) + scale + 1, scale);
            case MULTIPLY -> bounded(a.precision() + b.precision(), a.scale() + b.scale());
            case DIVIDE -> {
                int digits = Math.max(MIN_SCALE, a.scale() + b.precision() + 1);
                yield bounded(wholeA + b.scale() + digits, digits);
            }
            case INT_DIVIDE -> bounded(Math.max(1, wholeA + b.scale()), 0);
            case MODULO -> bounded(Math.max(1, Math.min(wholeA, wholeB) + scale), scale);
        };
    }

    private static DataType bounded(int precision, int scale) {
        if (precision <= TypePromotion.MAX_PRECISION) {
            return DataType.decimal(precision, scale);
        }
        int whole = precision - scale;
        int kept = Math.max(TypePromotion.MAX_PRECISION - whole, Math.min(scale, MIN_SCALE));
        return DataType.decimal(TypePromotion.MAX_PRECISION, kept);
    }

    private static @Nullable DataType temporal(ArithmeticOperator operator, DataType left, DataType right) {
        return switch (operator) {
            case ADD ->
                right instanceof DataType.Duration d
                        ? shifted(left, d)
                        : left instanceof DataType.Duration e ? shifted(right, e) : null;
            case SUBTRACT -> right instanceof DataType.Duration d ? shifted(left, d) : difference(left, right);
            case MULTIPLY ->
                left instanceof DataType.Duration && right instanceof DataType.Int
                        ? left
                        : left instanceof DataType.Int && right instanceof DataType.Duration ? right : null;
            case DIVIDE ->
                left instanceof DataType.Duration && right instanceof DataType.Duration ? DataType.FLOAT64 : null;
            case INT_DIVIDE -> left instanceof DataType.Duration && right instanceof DataType.Int ? left : null;
            case MODULO -> null;
        };
    }

    private static @Nullable DataType shifted(DataType time, DataType.Duration by) {
        return switch (time) {
            case DataType.Duration d -> DataType.duration(TypePromotion.finer(d.unit(), by.unit()));
            case DataType.Timestamp t -> new DataType.Timestamp(TypePromotion.finer(t.unit(), by.unit()), t.zone());
            case DataType.Date _ -> DataType.timestamp(by.unit());
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Time _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    private static @Nullable DataType difference(DataType left, DataType right) {
        return switch (TypePromotion.common(left, right)) {
            case DataType.Date _ -> DataType.duration(TimeUnit.SECOND);
            case DataType.Timestamp t -> DataType.duration(t.unit());
            case DataType.Time t -> DataType.duration(t.unit());
            case null, default -> null;
        };
    }
}
