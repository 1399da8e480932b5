package dev.millrace.internal.sql;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import org.apache.calcite.rel.type.RelDataType;

/// Casts of SQL: numbers are rounded where the target has fewer digits, where a cast of ours would refuse.
final class Casts {
    private Casts() {}

    /// @param checked false: null where a value does not fit
    static Expression cast(Expression value, RelDataType from, RelDataType to, boolean checked) {
        DataType target = SqlTypes.toColumn(to);
        if (target == null) {
            throw RexTranslator.unsupported("A cast to " + to);
        }
        if (value instanceof Literal literal && literal.value() == null) {
            return new Literal(null, target);
        }
        if (target.equals(SqlTypes.toColumn(from))) {
            return value;
        }
        Expression rounded = value;
        if (SqlTypes.isInteger(to) && SqlTypes.isFloat(from)) {
            rounded = value.roundHalfEven();
        } else if (SqlTypes.isInteger(to) && SqlTypes.isDecimal(from)) {
            rounded = value.round();
        } else if (SqlTypes.isDecimal(to)
                && (SqlTypes.isFloat(from) || SqlTypes.isDecimal(from) && from.getScale() > to.getScale())) {
            rounded = value.round(to.getScale());
        }
        return checked ? rounded.cast(target) : rounded.tryCast(target);
    }
}
