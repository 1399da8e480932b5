package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.allOf;
import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.greatest;
import static dev.millrace.expression.Expressions.least;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
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

/// Expressions of a query as expressions over the columns of its input.
final class RexTranslator {
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

    /// The same with the values of window functions.
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
            case RexLiteral literal -> Literals.of(literal);
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
            Expression members = Literals.members(call, this);
            return members == null ? one(Literals.expanded(builder, call)) : members;
        }
        if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
            return Casts.cast(
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
        return function(call, arguments);
    }

    private Expression function(RexCall call, List<Expression> a) {
        Expression first = a.isEmpty() ? null : a.getFirst();
        return switch (call.getKind()) {
            case AND -> allOf(a);
            case OR -> Alternatives.of(a);
            case NOT -> first.not();
            case EQUALS -> first.eq(a.get(1));
            case NOT_EQUALS -> first.ne(a.get(1));
            case LESS_THAN -> first.lt(a.get(1));
            case LESS_THAN_OR_EQUAL -> first.le(a.get(1));
            case GREATER_THAN -> first.gt(a.get(1));
            case GREATER_THAN_OR_EQUAL -> first.ge(a.get(1));
            case IS_DISTINCT_FROM -> first.eqNullSafe(a.get(1)).not();
            case IS_NOT_DISTINCT_FROM -> first.eqNullSafe(a.get(1));
            case IS_NULL -> first.isNull();
            case IS_NOT_NULL -> first.isNotNull();
            case IS_TRUE -> coalesce(first, false);
            case IS_NOT_TRUE -> coalesce(first, false).not();
            case IS_FALSE -> coalesce(first.not(), false);
            case IS_NOT_FALSE -> coalesce(first.not(), false).not();
            case PLUS -> first.plus(a.get(1));
            case MINUS -> first.minus(a.get(1));
            case TIMES -> first.times(a.get(1));
            case DIVIDE -> divided(call, a);
            case MOD -> first.mod(a.get(1));
            case MINUS_PREFIX -> first.negate();
            case PLUS_PREFIX -> first;
            case CASE -> conditional(a);
            case COALESCE -> coalesce(a.toArray());
            case LIKE -> like(call, a);
            case GREATEST -> greatest(a.toArray());
            case LEAST -> least(a.toArray());
            case EXTRACT -> TimeParts.part(symbol(call), first);
            case FLOOR, CEIL -> rounded(call, first);
            case TRIM -> trimmed(call, a);
            case POSITION -> a.get(1).indexOf(first).plus(1);
            case ITEM -> first.get(a.get(1).minus(1));
            case ARRAY_VALUE_CONSTRUCTOR -> list(a.toArray());
            default -> named(call, a);
        };
    }

    private static Expression named(RexCall call, List<Expression> a) {
        Expression own = ScalarFunctions.translate(call.getOperator(), a);
        if (own != null) {
            return own;
        }
        Expression first = a.isEmpty() ? null : a.getFirst();
        return switch (call.getOperator().getName()) {
            case "||" -> first.concat(a.get(1));
            case "UPPER" -> first.upper();
            case "LOWER" -> first.lower();
            case "SUBSTRING" -> substring(a);
            case "CHAR_LENGTH", "CHARACTER_LENGTH" -> first.length();
            case "REPLACE" -> first.replace(a.get(1), a.get(2));
            case "ABS" -> first.abs();
            case "SIGN" -> first.sign();
            case "MOD" -> first.mod(a.get(1));
            case "POWER" -> real(first).pow(real(a.get(1)));
            case "SQRT" -> real(first).sqrt();
            case "EXP" -> real(first).exp();
            case "LN" -> real(first).log();
            case "LOG10" -> real(first).log10();
            case "SIN" -> real(first).sin();
            case "COS" -> real(first).cos();
            case "TAN" -> real(first).tan();
            case "ASIN" -> real(first).asin();
            case "ACOS" -> real(first).acos();
            case "ATAN" -> real(first).atan();
            case "ATAN2" -> real(first).atan2(real(a.get(1)));
            case "PI" -> lit(Math.PI);
            case "ROUND" -> first.round(a.size() == 1 ? 0 : (int) whole("round", a.get(1)));
            case "CARDINALITY" -> first.size();
            case "CURRENT_DATE" -> lit(LocalDate.now(ZoneOffset.UTC));
            case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP" -> lit(LocalDateTime.now(ZoneOffset.UTC));
            case "LOCALTIME", "CURRENT_TIME" -> lit(LocalTime.now(ZoneOffset.UTC));
            default -> throw unsupported("The function " + call.getOperator().getName());
        };
    }

    static MillraceException unsupported(String what) {
        return unsupported(what, "Write this part with the verbs of a dataset.");
    }

    /// @param instead a sentence
    static MillraceException unsupported(String what, String instead) {
        return MillraceException.user("SQL: " + what + " is not supported. " + instead);
    }

    private static Expression real(Expression number) {
        return number.cast(DataType.FLOAT64);
    }

    private static Expression divided(RexCall call, List<Expression> a) {
        boolean decimal = call.getOperands().stream().anyMatch(operand -> SqlTypes.isDecimal(operand.getType()));
        return decimal
                ? real(a.getFirst()).dividedBy(real(a.get(1)))
                : a.getFirst().dividedBy(a.get(1));
    }

    /// Operands are condition, value, condition, value and so on, then the value for all others.
    private static Expression conditional(List<Expression> a) {
        Conditional.Then branches = when(a.get(0)).then(a.get(1));
        for (int i = 2; i + 1 < a.size(); i += 2) {
            branches = branches.when(a.get(i)).then(a.get(i + 1));
        }
        return branches.otherwise(a.getLast());
    }

    private static Expression like(RexCall call, List<Expression> a) {
        boolean ignoreCase = call.getOperator().getName().contains("ILIKE");
        String pattern = constantText("LIKE", a.get(1));
        Expression text = ignoreCase ? a.getFirst().lower() : a.getFirst();
        String wanted = ignoreCase ? pattern.toLowerCase(Locale.ROOT) : pattern;
        if (a.size() < 3) {
            return text.like(wanted);
        }
        String escape = constantText("ESCAPE", a.get(2));
        if (escape.length() != 1) {
            throw MillraceException.user("SQL: ESCAPE takes one character, not '" + escape + "'.");
        }
        return text.like(wanted, escape.charAt(0));
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

    /// Positions count from 1, negative ones from the end; a length counts what is before the first character too.
    private static Expression substring(List<Expression> a) {
        Expression position = a.get(1).cast(DataType.INT64);
        boolean plain = a.get(1) instanceof Literal literal
                && literal.value() instanceof Number number
                && number.longValue() >= 0;
        Expression begin = plain
                ? position.minus(1)
                : when(position.lt(0))
                        .then(a.getFirst().length().plus(position))
                        .otherwise(position.minus(1));
        if (a.size() == 2) {
            return a.getFirst().substring(begin);
        }
        return a.getFirst().substring(begin, begin.plus(a.get(2)));
    }

    private static Expression trimmed(RexCall call, List<Expression> a) {
        if (!(a.getFirst() instanceof Literal literal) || !" ".equals(literal.value())) {
            throw unsupported("TRIM of other characters than blanks");
        }
        return switch (symbol(call)) {
            case "LEADING" -> a.get(1).ltrim();
            case "TRAILING" -> a.get(1).rtrim();
            default -> a.get(1).trim();
        };
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

    /// The word among the operands, such as YEAR of `extract(year from time)`.
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

    /// A date or timestamp with an interval added or taken away.
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
