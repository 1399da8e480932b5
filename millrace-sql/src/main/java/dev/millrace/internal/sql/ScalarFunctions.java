package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.concat;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;

/// Functions beyond the standard's, by the names and with the results that they have in DuckDB.
final class ScalarFunctions {
    private static final SqlReturnTypeInference BOOLEAN = ReturnTypes.BOOLEAN_NULLABLE;
    private static final SqlReturnTypeInference INTEGER = ReturnTypes.INTEGER_NULLABLE;
    private static final SqlReturnTypeInference BIGINT = ReturnTypes.BIGINT_NULLABLE;
    private static final SqlReturnTypeInference DOUBLE = ReturnTypes.DOUBLE_NULLABLE;
    private static final SqlReturnTypeInference TEXT = ReturnTypes.VARCHAR_NULLABLE;
    private static final SqlOperandTypeChecker TEXT_1 = OperandTypes.family(SqlTypeFamily.CHARACTER);
    private static final SqlOperandTypeChecker TEXT_2 =
            OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER);
    private static final SqlOperandTypeChecker TEXT_4 = OperandTypes.family(
            SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER);
    private static final SqlOperandTypeChecker TEXT_NUMBER =
            OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER);
    private static final SqlOperandTypeChecker TEXT_TIME =
            OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME);
    private static final SqlOperandTypeChecker PADDING =
            OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.INTEGER, SqlTypeFamily.CHARACTER);

    private static final Map<String, Scalar> FUNCTIONS = new HashMap<>();

    private record Scalar(SqlOperator operator, Function<List<Expression>, Expression> translation) {}

    static {
        add("starts_with", BOOLEAN, TEXT_2, a -> a.get(0).startsWith(a.get(1)));
        add("ends_with", BOOLEAN, TEXT_2, a -> a.get(0).endsWith(a.get(1)));
        add("contains", BOOLEAN, TEXT_2, a -> a.get(0).contains(a.get(1)));
        add("length", BIGINT, TEXT_1, a -> a.get(0).length().cast(DataType.INT64));
        add("strlen", BIGINT, TEXT_1, a -> a.get(0).byteLength().cast(DataType.INT64));
        add(
                "strpos",
                BIGINT,
                TEXT_2,
                a -> a.get(0).indexOf(a.get(1)).cast(DataType.INT64).plus(1));
        add("reverse", TEXT, TEXT_1, a -> a.get(0).reverse());
        add("ltrim", TEXT, TEXT_1, a -> a.get(0).ltrim());
        add("rtrim", TEXT, TEXT_1, a -> a.get(0).rtrim());
        add("lpad", TEXT, PADDING, a -> a.get(0).lpad((int) whole("lpad", a, 1), text("lpad", a, 2)));
        add("rpad", TEXT, PADDING, a -> a.get(0).rpad((int) whole("rpad", a, 1), text("rpad", a, 2)));
        add("left", TEXT, TEXT_NUMBER, a -> a.get(0).substring(0, (int) positive("left", a)));
        add("right", TEXT, TEXT_NUMBER, a -> {
            Expression begin = a.get(0).length().minus((int) positive("right", a));
            return a.get(0).substring(begin);
        });
        add(
                "concat",
                ReturnTypes.VARCHAR,
                OperandTypes.ONE_OR_MORE,
                a -> concat(a.stream()
                        .map(text -> coalesce(text.cast(DataType.UTF8), ""))
                        .toArray()));
        add("regexp_matches", BOOLEAN, TEXT_2, a -> a.get(0).regexMatches(text("regexp_matches", a, 1)));
        add("regexp_replace", TEXT, TEXT_4, ScalarFunctions::replaceAll);
        add("log", DOUBLE, OperandTypes.NUMERIC, a -> real(a).log10());
        add("log2", DOUBLE, OperandTypes.NUMERIC, a -> real(a).log2());
        add(
                "pow",
                DOUBLE,
                OperandTypes.NUMERIC_NUMERIC,
                a -> real(a).pow(a.get(1).cast(DataType.FLOAT64)));
        add("isnan", BOOLEAN, OperandTypes.NUMERIC, a -> real(a).isNaN());
        add("ifnull", ReturnTypes.LEAST_RESTRICTIVE, OperandTypes.SAME_SAME, a -> coalesce(a.toArray()));
        add("date_trunc", ReturnTypes.ARG1_NULLABLE, TEXT_TIME, a -> a.get(1).truncate(text("date_trunc", a, 0)));
        add("date_part", BIGINT, TEXT_TIME, a -> TimeParts.part(text("date_part", a, 0), a.get(1)));
        add(
                "date_diff",
                BIGINT,
                OperandTypes.family(SqlTypeFamily.CHARACTER, SqlTypeFamily.DATETIME, SqlTypeFamily.DATETIME),
                a -> TimeParts.difference(text("date_diff", a, 0), a.get(1), a.get(2)));
        add(
                "last_day",
                ReturnTypes.DATE_NULLABLE,
                OperandTypes.DATETIME,
                a -> a.get(0)
                        .cast(DataType.DATE)
                        .truncate("month")
                        .plusMonths(1)
                        .plusDays(-1));
        add("dayofweek", INTEGER, OperandTypes.DATETIME, a -> TimeParts.part("dow", a.get(0)));
        add("isodow", INTEGER, OperandTypes.DATETIME, a -> TimeParts.part("isodow", a.get(0)));
    }

    private ScalarFunctions() {}

    private static void add(
            String name,
            SqlReturnTypeInference result,
            SqlOperandTypeChecker operands,
            Function<List<Expression>, Expression> translation) {
        String upper = name.toUpperCase(Locale.ROOT);
        FUNCTIONS.put(upper, new Scalar(SqlBasicFunction.create(upper, result, operands), translation));
    }

    /// In lower case.
    static Set<String> names() {
        return FUNCTIONS.keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    static List<SqlOperator> operators() {
        return FUNCTIONS.values().stream().map(Scalar::operator).toList();
    }

    /// The expression of a call, or null for a function that is not here.
    static Expression translate(SqlOperator operator, List<Expression> arguments) {
        Scalar scalar = FUNCTIONS.get(operator.getName().toUpperCase(Locale.ROOT));
        return scalar == null || !scalar.operator().equals(operator)
                ? null
                : scalar.translation().apply(arguments);
    }

    private static Expression replaceAll(List<Expression> arguments) {
        if (!text("regexp_replace", arguments, 3).equals("g")) {
            throw MillraceException.user("regexp_replace: only the option 'g', all matches, is supported.");
        }
        String replacement =
                text("regexp_replace", arguments, 2).replace("$", "\\$").replaceAll("\\\\([0-9])", "\\$$1");
        return arguments.getFirst().regexReplace(text("regexp_replace", arguments, 1), replacement);
    }

    private static Expression real(List<Expression> arguments) {
        return arguments.getFirst().cast(DataType.FLOAT64);
    }

    private static String text(String function, List<Expression> arguments, int position) {
        return String.valueOf(constant(function, arguments, position));
    }

    private static long whole(String function, List<Expression> arguments, int position) {
        return ((Number) constant(function, arguments, position)).longValue();
    }

    private static long positive(String function, List<Expression> arguments) {
        long count = whole(function, arguments, 1);
        if (count < 0) {
            throw MillraceException.user(
                    function + ": the number of characters must not be negative, but is " + count + ".");
        }
        return count;
    }

    private static Object constant(String function, List<Expression> arguments, int position) {
        if (arguments.get(position) instanceof Literal literal && literal.value() != null) {
            return literal.value();
        }
        throw MillraceException.user(function + ": argument " + (position + 1) + " must be a constant, not "
                + arguments.get(position) + ".");
    }
}
