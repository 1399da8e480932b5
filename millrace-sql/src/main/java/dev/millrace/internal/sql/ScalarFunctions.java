package dev.millrace.internal.sql;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.jspecify.annotations.Nullable;

/// The types of functions beyond the standard, with the names and results that they have in DuckDB; [Expressions#call]
/// implements them. Text functions are in [TextScalars], numeric ones in [NumberScalars], those of times in
/// [TimeScalars].
final class ScalarFunctions {
    static final SqlReturnTypeInference BOOLEAN = ReturnTypes.BOOLEAN_NULLABLE;
    static final SqlReturnTypeInference BIGINT = ReturnTypes.BIGINT_NULLABLE;
    static final SqlReturnTypeInference DOUBLE = ReturnTypes.DOUBLE_NULLABLE;
    static final SqlReturnTypeInference TEXT = ReturnTypes.VARCHAR_NULLABLE;

    /// Returns its operand, and prevents rules from recognising it as a constant or a column; see [ConstantKeys] and
    /// [CorrelatedMeasures]. Queries cannot name it.
    static final SqlOperator OPAQUE = SqlBasicFunction.create("OPAQUE", ReturnTypes.ARG0, OperandTypes.ANY);

    /// Translates a call to an expression.
    interface Translation {
        Expression of(List<Expression> arguments, List<RelDataType> types);
    }

    private record Scalar(SqlOperator operator, Translation translation) {}

    private static final Map<String, Scalar> FUNCTIONS = new HashMap<>();

    static {
        TextScalars.addAll();
        NumberScalars.addAll();
        TimeScalars.addAll();
    }

    private ScalarFunctions() {}

    /// Adds a function that expressions have under the same name.
    static void add(String name, SqlReturnTypeInference result, SqlOperandTypeChecker operands) {
        addTyped(name, result, operands, (arguments, _) -> Expressions.call(name, arguments.toArray()));
    }

    static void addTyped(
            String name, SqlReturnTypeInference result, SqlOperandTypeChecker operands, Translation translation) {
        String upper = name.toUpperCase(Locale.ROOT);
        FUNCTIONS.put(upper, new Scalar(SqlBasicFunction.create(upper, result, operands), translation));
    }

    /// Adds a volatile function, which returns another value for each row, so that no two calls are equal.
    static void addVolatile(String name, SqlReturnTypeInference result, Function<List<Expression>, Expression> make) {
        String upper = name.toUpperCase(Locale.ROOT);
        SqlOperator operator =
                SqlBasicFunction.create(upper, result, OperandTypes.NILADIC).withDeterministic(false);
        FUNCTIONS.put(upper, new Scalar(operator, (arguments, _) -> make.apply(arguments)));
    }

    /// Operands of these families; those from position `least` on are optional.
    static SqlOperandTypeChecker operands(int least, SqlTypeFamily... families) {
        return OperandTypes.family(List.of(families), position -> position >= least);
    }

    /// The names in lower case.
    static Set<String> names() {
        return FUNCTIONS.keySet().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    static List<SqlOperator> operators() {
        return FUNCTIONS.values().stream().map(Scalar::operator).toList();
    }

    static SqlOperator operator(String name) {
        return Objects.requireNonNull(FUNCTIONS.get(name.toUpperCase(Locale.ROOT)), name)
                .operator();
    }

    /// The expression of a call, or null for an unknown function.
    @SuppressWarnings("ReferenceEquality") // of the operators that have this name and kind, only ours
    static @Nullable Expression translate(SqlOperator operator, List<Expression> arguments, List<RelDataType> types) {
        if (operator == OPAQUE) {
            return arguments.getFirst();
        }
        Scalar scalar = FUNCTIONS.get(operator.getName().toUpperCase(Locale.ROOT));
        return scalar == null || !scalar.operator().equals(operator)
                ? null
                : scalar.translation().of(arguments, types);
    }
}
