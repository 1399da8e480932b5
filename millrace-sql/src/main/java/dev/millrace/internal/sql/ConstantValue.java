package dev.millrace.internal.sql;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/// Converts a constant to a number that is comparable with the bounds of a [ColumnEstimate].
final class ConstantValue {
    private static final double SECONDS_PER_DAY = 86_400;
    private static final double MILLIS = 1_000;

    private ConstantValue() {}

    /// NaN if the node is not a constant number.
    static double of(RexNode node) {
        return switch (node) {
            case RexLiteral literal -> literal(literal);
            case RexCall call -> call(call);
            default -> Double.NaN;
        };
    }

    private static double literal(RexLiteral literal) {
        if (literal.isNull()) {
            return Double.NaN;
        }
        SqlTypeName type = literal.getType().getSqlTypeName();
        return switch (type) {
            case DATE -> literal.getValueAs(Integer.class);
            case TIMESTAMP -> literal.getValueAs(Long.class) / MILLIS;
            default ->
                literal.getValue() instanceof BigDecimal number
                                && !SqlTypeFamily.INTERVAL_YEAR_MONTH.contains(literal.getType())
                        ? number.doubleValue()
                        : Double.NaN;
        };
    }

    private static double call(RexCall call) {
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case CAST -> cast(call, operands.getFirst());
            case PLUS, MINUS -> {
                double sign = call.getKind() == org.apache.calcite.sql.SqlKind.PLUS ? 1 : -1;
                yield operands.size() == 2 && isInterval(operands.getLast())
                        ? moved(operands.getFirst(), operands.getLast(), sign)
                        : operands.size() == 2 ? of(operands.getFirst()) + sign * of(operands.getLast()) : Double.NaN;
            }
            case MINUS_PREFIX -> -of(operands.getFirst());
            case TIMES -> operands.size() == 2 ? of(operands.getFirst()) * of(operands.getLast()) : Double.NaN;
            default -> Double.NaN;
        };
    }

    private static double cast(RexCall cast, RexNode input) {
        boolean toDate = cast.getType().getSqlTypeName() == SqlTypeName.DATE;
        boolean toTime = cast.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP;
        if ((toDate || toTime)
                && input.getType().getFamily() == SqlTypeFamily.CHARACTER
                && input instanceof RexLiteral literal
                && literal.getValueAs(String.class) != null) {
            try {
                double day = LocalDate.parse(literal.getValueAs(String.class).strip())
                        .toEpochDay();
                return toDate ? day : day * SECONDS_PER_DAY;
            } catch (java.time.DateTimeException _) {
                return Double.NaN;
            }
        }
        SqlTypeName from = input.getType().getSqlTypeName();
        double value = of(input);
        if (toTime && from == SqlTypeName.DATE) {
            return value * SECONDS_PER_DAY;
        }
        return toDate && from == SqlTypeName.TIMESTAMP ? Math.floor(value / SECONDS_PER_DAY) : value;
    }

    private static boolean isInterval(RexNode node) {
        return SqlTypeName.INTERVAL_TYPES.contains(node.getType().getSqlTypeName());
    }

    /// A date or a time plus an interval; a month counts as a twelfth of a year.
    private static double moved(RexNode from, RexNode interval, double sign) {
        if (!(interval instanceof RexLiteral literal) || !(literal.getValue() instanceof BigDecimal amount)) {
            return Double.NaN;
        }
        boolean months =
                SqlTypeName.YEAR_INTERVAL_TYPES.contains(interval.getType().getSqlTypeName());
        double days = months ? amount.doubleValue() * 365.25 / 12 : amount.doubleValue() / MILLIS / SECONDS_PER_DAY;
        boolean isDate = from.getType().getSqlTypeName() == SqlTypeName.DATE;
        return of(from) + sign * (isDate ? days : days * SECONDS_PER_DAY);
    }
}
