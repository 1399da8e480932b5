package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.lit;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/// Translates the constants of a query.
final class SqlLiterals {
    private SqlLiterals() {}

    static Literal of(RexLiteral literal) {
        RelDataType type = literal.getType();
        if (literal.isNull()) {
            DataType column = SqlTypes.toColumn(type);
            return new Literal(null, column == null ? DataType.NULL : column);
        }
        Object value = switch (type.getSqlTypeName()) {
            case BOOLEAN -> literal.getValueAs(Boolean.class);
            case CHAR, VARCHAR -> literal.getValueAs(String.class);
            case BINARY, VARBINARY -> literal.getValueAs(ByteString.class).getBytes();
            case DATE -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
            case TIME -> LocalTime.parse(literal.getValueAs(TimeString.class).toString());
            case TIMESTAMP -> timestamp(literal.getValueAs(TimestampString.class));
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                timestamp(literal.getValueAs(TimestampString.class)).atZone(ZoneId.of(SqlTypes.ZONE));
            default -> number(literal.getValueAs(BigDecimal.class), type);
        };
        return (Literal) lit(value);
    }

    private static LocalDateTime timestamp(TimestampString text) {
        return LocalDateTime.parse(text.toString().replace(' ', 'T'));
    }

    private static Number number(BigDecimal value, RelDataType type) {
        if (value == null) {
            throw RexTranslator.unsupported("A constant of type " + type);
        }
        return switch (type.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER -> value.intValueExact();
            case BIGINT -> value.longValueExact();
            case UTINYINT, USMALLINT, UINTEGER -> value.longValueExact();
            case UBIGINT -> value.toBigIntegerExact();
            case REAL -> value.floatValue();
            case FLOAT, DOUBLE -> value.doubleValue();
            case DECIMAL -> value.scale() < type.getScale() ? value.setScale(type.getScale()) : value;
            default -> throw RexTranslator.unsupported("A constant of type " + type);
        };
    }

    /// `x IN (1, 2)` and `x NOT IN (1, 2)`, or null if the set does not consist of single points.
    static @Nullable Expression members(RexCall search, RexTranslator translator) {
        RexLiteral set = (RexLiteral) search.getOperands().get(1);
        Sarg<?> sarg = set.getValueAs(Sarg.class);
        boolean points = sarg.isPoints();
        if (sarg.nullAs != RexUnknownAs.UNKNOWN || !points && !sarg.isComplementedPoints()) {
            return null;
        }
        List<Object> values = new ArrayList<>();
        for (var range : (points ? sarg.rangeSet : sarg.negate().rangeSet).asRanges()) {
            Object value = value(range.lowerEndpoint(), set.getType());
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        if (values.size() < 2) {
            return null;
        }
        Expression in = translator.one(search.getOperands().getFirst()).isIn(values);
        return points ? in : in.not();
    }

    /// A point of a set, or null if points of its type have to be compared one by one.
    private static @Nullable Object value(Object point, RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case CHAR, VARCHAR -> point instanceof NlsString text ? text.getValue() : null;
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                point instanceof BigDecimal number ? number.longValueExact() : null;
            case DATE -> point instanceof DateString date ? LocalDate.parse(date.toString()) : null;
            default -> null;
        };
    }

    /// The same as comparisons.
    static RexNode expanded(RexBuilder builder, RexCall search) {
        return RexUtil.expandSearch(builder, null, search);
    }
}
