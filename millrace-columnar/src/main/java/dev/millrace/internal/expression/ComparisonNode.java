package dev.millrace.internal.expression;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A comparison of two operands of one type; a constant is always on the right.
final class ComparisonNode extends PredicateNode {
    private final ComparisonOperator operator;
    private final ExpressionNode left;
    private final ExpressionNode right;
    private final DataType type;

    ComparisonNode(ComparisonOperator operator, ExpressionNode left, ExpressionNode right) {
        boolean flip = left.isConstant() && !right.isConstant();
        this.operator = flip ? operator.flipped() : operator;
        this.left = flip ? right : left;
        this.right = flip ? left : right;
        this.type = left.type();
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        long count = rows.count();
        try (HeldColumn a = left.values(rows)) {
            if (a.column() instanceof NullColumn && operator != ComparisonOperator.EQUAL_NULL_SAFE) {
                return TruthBits.unknown(count);
            }
            if (right instanceof ConstantNode constant) {
                long[] valid = BitWords.valid(a.column());
                if (constant.isNull()) {
                    return operator == ComparisonOperator.EQUAL_NULL_SAFE
                            ? TruthBits.of(
                                    valid == null ? new long[BitWords.words(count)] : BitWords.andNot(null, valid),
                                    null,
                                    count)
                            : TruthBits.unknown(count);
                }
                long[] bits = withConstant(a.column(), constant.present(), count);
                return operator == ComparisonOperator.EQUAL_NULL_SAFE
                        ? TruthBits.of(BitWords.and(bits, valid), null, count)
                        : TruthBits.of(bits, valid, count);
            }
            try (HeldColumn b = right.values(rows)) {
                return both(a.column(), b.column(), count);
            }
        }
    }

    private TruthBits both(Column a, Column b, long rows) {
        long[] validA = BitWords.valid(a);
        long[] validB = BitWords.valid(b);
        long[] valid = BitWords.both(validA, validB);
        boolean nothing = a instanceof NullColumn || b instanceof NullColumn;
        long[] bits = nothing ? new long[BitWords.words(rows)] : columns(a, b, rows);
        if (operator != ComparisonOperator.EQUAL_NULL_SAFE) {
            return TruthBits.of(bits, valid, rows);
        }
        for (int i = 0; i < bits.length; i++) {
            long va = validA == null ? -1L : validA[i];
            long vb = validB == null ? -1L : validB[i];
            bits[i] = bits[i] & va & vb | ~va & ~vb;
        }
        return TruthBits.of(bits, null, rows);
    }

    private long flip() {
        return type.equals(DataType.UINT64) ? Long.MIN_VALUE : 0;
    }

    private long[] columns(Column a, Column b, long rows) {
        return switch (a) {
            case BooleanColumn x -> booleans(BitWords.values(x), BitWords.values((BooleanColumn) b));
            case DecimalColumn x -> DecimalComparison.compare(operator, x, (DecimalColumn) b);
            case VariableWidthColumn x -> TextComparison.compare(operator, x, (VariableWidthColumn) b);
            case FixedWidthColumn x
            when FixedOutput.isFixed(type) -> {
                FixedWidthColumn y = (FixedWidthColumn) b;
                yield switch (PrimitiveStorage.of(type)) {
                    case INT -> IntComparison.compare(operator, x.values(), y.values(), rows);
                    case LONG -> LongComparison.compare(operator, x.values(), y.values(), rows, flip());
                    case FLOAT -> FloatComparison.compare(operator, x.values(), y.values(), rows);
                    case DOUBLE -> DoubleComparison.compare(operator, x.values(), y.values(), rows);
                };
            }
            // Types without a kernel of their own: value by value.
            default -> boxed(a, b, null, rows);
        };
    }

    private long[] withConstant(Column a, Object value, long rows) {
        return switch (a) {
            case BooleanColumn x ->
                booleans(
                        BitWords.values(x),
                        TruthBits.constant((Boolean) value, rows).yes());
            case DecimalColumn x -> DecimalComparison.compare(operator, x, (BigDecimal) value);
            case VariableWidthColumn x -> TextComparison.compare(operator, x, TextComparison.bytes(value));
            case FixedWidthColumn x
            when FixedOutput.isFixed(type) -> {
                Number y = StoredValues.of(type, value);
                yield switch (PrimitiveStorage.of(type)) {
                    case INT -> IntComparison.compare(operator, x.values(), y.intValue(), rows);
                    case LONG -> LongComparison.compare(operator, x.values(), y.longValue(), rows, flip());
                    case FLOAT -> FloatComparison.compare(operator, x.values(), y.floatValue(), rows);
                    case DOUBLE -> DoubleComparison.compare(operator, x.values(), y.doubleValue(), rows);
                };
            }
            // Types without a kernel of their own: value by value.
            default -> boxed(a, null, value, rows);
        };
    }

    /// Whether the values, of the bound type, equal a constant; valid only for non-null rows.
    static long[] equalTo(Column column, DataType type, ConstantNode constant) {
        ComparisonNode equal = new ComparisonNode(ComparisonOperator.EQUAL, new InputNode(type, 0), constant);
        return equal.withConstant(column, constant.present(), column.length());
    }

    private long[] booleans(long[] a, long[] b) {
        long[] bits = new long[a.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = switch (operator) {
                case EQUAL, EQUAL_NULL_SAFE -> ~(a[i] ^ b[i]);
                case NOT_EQUAL -> a[i] ^ b[i];
                case LESS -> ~a[i] & b[i];
                case LESS_OR_EQUAL -> ~a[i] | b[i];
                case GREATER -> a[i] & ~b[i];
                case GREATER_OR_EQUAL -> a[i] | ~b[i];
            };
        }
        return bits;
    }

    /// Lists, structs, maps and tensors: equality of their Java values.
    private long[] boxed(Column a, @Nullable Column b, @Nullable Object constant, long rows) {
        long[] bits = new long[BitWords.words(rows)];
        boolean wanted = operator != ComparisonOperator.NOT_EQUAL;
        for (long row = 0; row < rows; row++) {
            if (Objects.deepEquals(a.value(row), b == null ? constant : b.value(row)) == wanted) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }
}
