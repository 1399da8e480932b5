package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.allOf;
import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/// Translates expressions of a query to expressions over the columns of its input.
final class RexTranslator {
    static final DataType ZONED = DataType.timestamp(TimeUnit.MICROSECOND, SqlTypes.ZONE);

    private final RexBuilder builder;
    private final IntFunction<Expression> columns;
    private final Map<RexOver, Expression> windows;

    /// @param columns the input's columns by position
    RexTranslator(RexBuilder builder, IntFunction<Expression> columns) {
        this(builder, columns, Map.of());
    }

    private RexTranslator(RexBuilder builder, IntFunction<Expression> columns, Map<RexOver, Expression> windows) {
        this.builder = builder;
        this.columns = columns;
        this.windows = windows;
    }

    /// The same translator with the results of window functions.
    RexTranslator with(Map<RexOver, Expression> values) {
        return new RexTranslator(builder, columns, values);
    }

    List<Expression> all(List<? extends RexNode> nodes) {
        List<Expression> expressions = new ArrayList<>();
        nodes.forEach(node -> expressions.add(one(node)));
        return expressions;
    }

    Expression one(RexNode node) {
        return switch (node) {
            case RexInputRef reference -> columns.apply(reference.getIndex());
            case RexLiteral literal -> SqlLiterals.of(literal);
            case RexFieldAccess access ->
                one(access.getReferenceExpr()).field(access.getField().getName());
            case RexOver over -> {
                Expression value = windows.get(over);
                if (value == null) {
                    throw unsupported("A window function here");
                }
                yield value;
            }
            case RexCall call -> call(call);
            default -> throw unsupported(node.toString());
        };
    }

    private Expression call(RexCall call) {
        if (call.getKind() == SqlKind.SEARCH) {
            Expression members = SqlLiterals.members(call, this);
            return members == null ? one(SqlLiterals.expanded(builder, call)) : members;
        }
        if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
            return SqlCasts.cast(
                    one(call.getOperands().getFirst()),
                    call.getOperands().getFirst().getType(),
                    call.getType(),
                    call.getKind() == SqlKind.CAST);
        }
        if (isTimeArithmetic(call)) {
            return shifted(call);
        }
        List<Expression> arguments = all(call.getOperands().stream()
                .filter(operand ->
                        !(operand instanceof RexLiteral literal && literal.getTypeName() == SqlTypeName.SYMBOL))
                .toList());
        return function(call, zoned(call, arguments));
    }

    /// Converts dates and times without a zone to times with a zone, if they are compared or combined with one that has
    /// a zone.
    private static List<Expression> zoned(RexCall call, List<Expression> arguments) {
        boolean compared = call.isA(SqlKind.COMPARISON);
        boolean chosen = call.isA(SqlKind.COALESCE) || call.isA(SqlKind.CASE) || call.isA(SqlKind.NULLIF);
        if (!compared && !chosen
                || arguments.size() != call.getOperands().size()
                || call.getOperands().stream().noneMatch(operand -> SqlTypes.isZoned(operand.getType()))) {
            return arguments;
        }
        List<Expression> all = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            boolean local = SqlTypes.isLocal(type(call, i));
            all.add(local ? arguments.get(i).cast(ZONED) : arguments.get(i));
        }
        return all;
    }

    private Expression function(RexCall call, List<Expression> a) {
        return switch (call.getKind()) {
            case AND -> allOf(a);
            case OR -> DisjunctionTerms.of(a);
            case NOT -> a.getFirst().not();
            case EQUALS -> a.getFirst().eq(a.get(1));
            case NOT_EQUALS -> a.getFirst().ne(a.get(1));
            case LESS_THAN -> a.getFirst().lt(a.get(1));
            case LESS_THAN_OR_EQUAL -> a.getFirst().le(a.get(1));
            case GREATER_THAN -> a.getFirst().gt(a.get(1));
            case GREATER_THAN_OR_EQUAL -> a.getFirst().ge(a.get(1));
            case IS_DISTINCT_FROM -> a.getFirst().eqNullSafe(a.get(1)).not();
            case IS_NOT_DISTINCT_FROM -> a.getFirst().eqNullSafe(a.get(1));
            case IS_NULL -> a.getFirst().isNull();
            case IS_NOT_NULL -> a.getFirst().isNotNull();
            case IS_TRUE -> coalesce(a.getFirst(), false);
            case IS_NOT_TRUE -> coalesce(a.getFirst(), false).not();
            case IS_FALSE -> coalesce(a.getFirst().not(), false);
            case IS_NOT_FALSE -> coalesce(a.getFirst().not(), false).not();
            case PLUS -> sum(call, a);
            case MINUS -> difference(call, a);
            case TIMES -> a.getFirst().times(a.get(1));
            case DIVIDE -> divided(call, a);
            case MOD -> a.getFirst().mod(a.get(1));
            case MINUS_PREFIX -> a.getFirst().negate();
            case PLUS_PREFIX -> a.getFirst();
            case CASE -> conditional(a);
            case COALESCE -> coalesce(a.toArray());
            case LIKE -> like(call, a);
            case EXTRACT -> Expressions.call("date_part", symbol(call), a.getFirst());
            case FLOOR, CEIL -> rounded(call, a.getFirst());
            case TRIM -> trimmed(call, a);
            case POSITION -> a.get(1).indexOf(a.getFirst()).plus(1);
            case ITEM -> item(call, a);
            case ARRAY_VALUE_CONSTRUCTOR -> list(a.toArray());
            default -> named(call, a);
        };
    }

    private static Expression named(RexCall call, List<Expression> a) {
        Expression own = ScalarFunctions.translate(
                call.getOperator(),
                a,
                call.getOperands().stream().map(RexNode::getType).toList());
        if (own != null) {
            return own;
        }
        return switch (call.getOperator().getName()) {
            case "||" -> SqlCasts.text(a.getFirst(), type(call, 0)).concat(SqlCasts.text(a.get(1), type(call, 1)));
            case QueryDialect.INTEGER_DIVISION -> integerDivided(call, a);
            case "UPPER",
                    "LOWER",
                    "SUBSTRING",
                    "CHAR_LENGTH",
                    "CHARACTER_LENGTH",
                    "REPLACE",
                    "ABS",
                    "SIGN",
                    "MOD",
                    "POWER",
                    "SQRT",
                    "EXP",
                    "LN",
                    "LOG10",
                    "SIN",
                    "COS",
                    "TAN",
                    "ASIN",
                    "ACOS",
                    "ATAN",
                    "ATAN2",
                    "PI",
                    "CARDINALITY",
                    "CURRENT_DATE",
                    "CURRENT_TIMESTAMP",
                    "LOCALTIMESTAMP",
                    "LOCALTIME",
                    "CURRENT_TIME" -> Expressions.call(call.getOperator().getName(), a.toArray());
            default -> throw unsupported("The function " + call.getOperator().getName());
        };
    }

    static MillraceException unsupported(String what) {
        return unsupported(what, "Write this part with the verbs of a dataset.");
    }

    /// @param instead a sentence that suggests an alternative
    static MillraceException unsupported(String what, String instead) {
        return MillraceException.user("SQL: " + what + " is not supported. " + instead);
    }

    private static RelDataType type(RexCall call, int operand) {
        return call.getOperands().get(operand).getType();
    }

    private static Expression real(Expression number) {
        return number.cast(DataType.FLOAT64);
    }

    /// Division of floats, so that a division by zero is infinite.
    private static Expression divided(RexCall call, List<Expression> a) {
        boolean floats = SqlTypes.isFloat(type(call, 0)) && SqlTypes.isFloat(type(call, 1));
        return floats ? a.getFirst().dividedBy(a.get(1)) : real(a.getFirst()).dividedBy(real(a.get(1)));
    }

    private static Expression integerDivided(RexCall call, List<Expression> a) {
        boolean whole = SqlTypes.isInteger(type(call, 0)) && SqlTypes.isInteger(type(call, 1));
        return whole ? a.getFirst().intDiv(a.get(1)) : real(a.getFirst()).dividedBy(real(a.get(1)));
    }

    private static Expression sum(RexCall call, List<Expression> a) {
        boolean left = type(call, 0).getSqlTypeName() == SqlTypeName.DATE;
        boolean right = type(call, 1).getSqlTypeName() == SqlTypeName.DATE;
        return left
                ? a.getFirst().plusDays(a.get(1))
                : right ? a.get(1).plusDays(a.getFirst()) : a.getFirst().plus(a.get(1));
    }

    private static Expression difference(RexCall call, List<Expression> a) {
        if (type(call, 0).getSqlTypeName() != SqlTypeName.DATE) {
            return a.getFirst().minus(a.get(1));
        }
        return type(call, 1).getSqlTypeName() == SqlTypeName.DATE
                ? a.get(1).daysUntil(a.getFirst()).cast(DataType.INT64)
                : a.getFirst().plusDays(a.get(1).cast(DataType.INT64).negate());
    }

    /// Operands are condition, value, condition, value and so on, then the default value.
    private static Expression conditional(List<Expression> a) {
        Conditional.Then branches = when(a.get(0)).then(a.get(1));
        for (int i = 2; i + 1 < a.size(); i += 2) {
            branches = branches.when(a.get(i)).then(a.get(i + 1));
        }
        return branches.otherwise(a.getLast());
    }

    private static Expression like(RexCall call, List<Expression> a) {
        constantText("LIKE", a.get(1));
        if (a.size() > 2) {
            String escape = constantText("ESCAPE", a.get(2));
            if (escape.length() != 1) {
                throw MillraceException.user("SQL: ESCAPE takes one character, not '" + escape + "'.");
            }
        }
        boolean ignoreCase = call.getOperator().getName().contains("ILIKE");
        return Expressions.call(ignoreCase ? "ilike" : "like", a.toArray());
    }

    private static String constantText(String what, Expression expression) {
        if (expression instanceof Literal literal && literal.value() instanceof String text) {
            return text;
        }
        throw unsupported(what + " with a pattern that is no constant, " + expression + ",");
    }

    static long whole(String what, Expression expression) {
        if (expression instanceof Literal literal && literal.value() instanceof Number number) {
            return number.longValue();
        }
        throw unsupported(what + " with digits that are no constant, " + expression + ",");
    }

    /// An element of a list, counted from 1 or from the end, or the value of a key.
    private static Expression item(RexCall call, List<Expression> a) {
        if (type(call, 0).getSqlTypeName() == SqlTypeName.MAP) {
            return a.getFirst().get(a.get(1));
        }
        Expression position = a.get(1).cast(DataType.INT64);
        return a.getFirst()
                .get(when(position.gt(0))
                        .then(position.minus(1))
                        .when(position.lt(0))
                        .then(position)
                        .orNull());
    }

    private static Expression trimmed(RexCall call, List<Expression> a) {
        boolean blanks = a.getFirst() instanceof Literal literal && " ".equals(literal.value());
        String function = switch (symbol(call)) {
            case "LEADING" -> "ltrim";
            case "TRAILING" -> "rtrim";
            default -> "trim";
        };
        return blanks ? Expressions.call(function, a.get(1)) : Expressions.call(function, a.get(1), a.getFirst());
    }

    private static Expression rounded(RexCall call, Expression value) {
        boolean floor = call.getKind() == SqlKind.FLOOR;
        if (call.getOperands().size() == 1) {
            return floor ? value.floor() : value.ceil();
        }
        if (!floor) {
            throw unsupported("CEIL of a time");
        }
        return value.truncate(symbol(call).toLowerCase(Locale.ROOT));
    }

    /// The keyword among the operands, such as YEAR of `extract(year from time)`.
    private static String symbol(RexCall call) {
        return call.getOperands().stream()
                .filter(operand -> operand instanceof RexLiteral literal && literal.getTypeName() == SqlTypeName.SYMBOL)
                .map(operand -> String.valueOf(((RexLiteral) operand).getValue()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isTimeArithmetic(RexCall call) {
        return (call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS)
                && call.getOperands().size() >= 2
                && call.getOperands().stream().anyMatch(RexTranslator::isInterval);
    }

    private static boolean isInterval(RexNode node) {
        return SqlTypeFamily.DATETIME_INTERVAL
                .getTypeNames()
                .contains(node.getType().getSqlTypeName());
    }

    /// A date or timestamp plus or minus an interval.
    private Expression shifted(RexCall call) {
        List<RexNode> operands = call.getOperands();
        boolean first = isInterval(operands.getFirst());
        RexNode interval = operands.get(first ? 0 : 1);
        RexNode time = operands.get(first ? 1 : 0);
        if (isInterval(time) || !(interval instanceof RexLiteral literal)) {
            throw unsupported("Arithmetic with intervals other than a time plus or minus a constant one");
        }
        long amount = literal.getValueAs(BigDecimal.class).longValueExact();
        long signed = call.getKind() == SqlKind.MINUS ? -amount : amount;
        Expression from = one(time);
        if (SqlTypeFamily.INTERVAL_YEAR_MONTH
                .getTypeNames()
                .contains(interval.getType().getSqlTypeName())) {
            return from.plusMonths(signed);
        }
        long day = Duration.ofDays(1).toMillis();
        if (signed % day == 0) {
            return from.plusDays(signed / day);
        }
        return from.plus(Duration.ofMillis(signed));
    }
}
