package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.udf;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.internal.sql.ScalarFunctions.BOOLEAN;
import static dev.millrace.internal.sql.ScalarFunctions.DOUBLE;
import static dev.millrace.internal.sql.ScalarFunctions.add;
import static dev.millrace.internal.sql.ScalarFunctions.addTyped;
import static dev.millrace.internal.sql.ScalarFunctions.addVolatile;
import static dev.millrace.internal.sql.ScalarFunctions.operands;

import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/// Numeric functions, and those that choose among values of any type.
final class NumberScalars {
    private static final SqlReturnTypeInference COMMON = ReturnTypes.LEAST_RESTRICTIVE;

    private NumberScalars() {}

    static void addAll() {
        add("log", DOUBLE, OperandTypes.or(OperandTypes.NUMERIC, OperandTypes.NUMERIC_NUMERIC));
        add("log2", DOUBLE, OperandTypes.NUMERIC);
        add("pow", DOUBLE, OperandTypes.NUMERIC_NUMERIC);
        add("isnan", BOOLEAN, OperandTypes.NUMERIC);
        addTyped(
                "trunc",
                NumberScalars::withDigits,
                operands(1, SqlTypeFamily.NUMERIC, SqlTypeFamily.INTEGER),
                NumberScalars::truncated);
        add("round", NumberScalars::withDigits, operands(1, SqlTypeFamily.NUMERIC, SqlTypeFamily.INTEGER));
        add("ifnull", COMMON, OperandTypes.SAME_SAME);
        add("greatest", COMMON, OperandTypes.ONE_OR_MORE);
        add("least", COMMON, OperandTypes.ONE_OR_MORE);
        add(
                "if",
                call -> call.getTypeFactory()
                        .leastRestrictive(List.of(
                                nullable(call.getTypeFactory(), call.getOperandType(1)),
                                nullable(call.getTypeFactory(), call.getOperandType(2)))),
                operands(3, SqlTypeFamily.BOOLEAN, SqlTypeFamily.ANY, SqlTypeFamily.ANY));
        addVolatile(
                "random",
                ReturnTypes.DOUBLE,
                _ -> udf(
                                "random",
                                DataType.FLOAT64,
                                (Integer _) -> ThreadLocalRandom.current().nextDouble(),
                                lit(1))
                        .nondeterministic());
    }

    private static RelDataType nullable(RelDataTypeFactory types, RelDataType type) {
        return types.createTypeWithNullability(type, true);
    }

    private static Expression real(Expression number) {
        return number.cast(DataType.FLOAT64);
    }

    /// The return type of a rounded number; a decimal has the requested number of fractional digits.
    private static RelDataType withDigits(SqlOperatorBinding call) {
        RelDataType type = call.getOperandType(0);
        boolean nullable = type.isNullable()
                || call.getOperandCount() > 1 && call.getOperandType(1).isNullable();
        if (SqlTypes.isDecimal(type)) {
            boolean constant = call.getOperandCount() > 1 && call.isOperandLiteral(1, false);
            int digits = constant ? call.getOperandLiteralValue(1, Integer.class) : 0;
            int scale = Math.clamp(digits, 0, type.getScale());
            type = call.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, type.getPrecision(), scale);
        }
        return call.getTypeFactory().createTypeWithNullability(type, nullable);
    }

    private static DataType scaled(RelDataType type, long digits) {
        return DataType.decimal(type.getPrecision(), Math.clamp(digits, 0, type.getScale()));
    }

    /// Rounds towards zero, to an integer or to a number of digits.
    private static Expression truncated(List<Expression> a, List<RelDataType> types) {
        long digits = a.size() > 1 ? RexTranslator.whole("trunc", a.get(1)) : 0;
        Expression value = a.get(0);
        if (SqlTypes.isInteger(types.get(0)) && digits >= 0) {
            return value;
        }
        if (SqlTypes.isInteger(types.get(0))) {
            long unit = Math.round(Math.pow(10, (double) Math.min(18, -digits)));
            return value.intDiv(unit).times(unit);
        }
        if (digits == 0) {
            return when(value.lt(0)).then(value.ceil()).otherwise(value.floor());
        }
        double unit = Math.pow(10, (double) digits);
        Expression scaled = real(value).times(unit);
        Expression cut =
                when(scaled.lt(0)).then(scaled.ceil()).otherwise(scaled.floor()).dividedBy(unit);
        return SqlTypes.isDecimal(types.get(0)) ? cut.round((int) digits).cast(scaled(types.get(0), digits)) : cut;
    }
}
