package dev.millrace.internal.sql;

import java.util.List;
import java.util.function.BiPredicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlMonotonicBinaryOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.jspecify.annotations.Nullable;

/// Operators whose meaning in DuckDB differs from the standard, in place of the parser's. Each has a class of its own,
/// because operators with the same class and name are equal, and must not be replaced by the standard's.
final class DialectOperators {
    private static final SqlOperandTypeChecker DATE_AND_NUMBER =
            new Exactly("<DATE> {0} <INTEGER>", (left, right) -> isDate(left) && SqlTypes.isInteger(right));
    private static final SqlOperandTypeChecker NUMBER_AND_DATE =
            new Exactly("<INTEGER> {0} <DATE>", (left, right) -> SqlTypes.isInteger(left) && isDate(right));
    private static final SqlOperandTypeChecker DATES =
            new Exactly("<DATE> {0} <DATE>", (left, right) -> isDate(left) && isDate(right));

    private static final SqlBinaryOperator DIVISION = new Division();
    private static final SqlBinaryOperator INTEGER_DIVISION = new IntegerDivision();
    private static final SqlBinaryOperator SUM = new Sum();
    private static final SqlBinaryOperator DIFFERENCE = new Difference();

    static final List<SqlOperator> OPERATORS = List.of(DIVISION, INTEGER_DIVISION, SUM, DIFFERENCE);

    private DialectOperators() {}

    /// The call with this dialect's operator, or null if the standard's applies.
    static @Nullable SqlNode of(SqlBasicCall call) {
        SqlBasicCall marked = marked(call);
        if (marked != null) {
            return marked;
        }
        SqlOperator operator = switch (call.getKind()) {
            case DIVIDE -> DIVISION;
            case PLUS -> SUM;
            case MINUS -> DIFFERENCE;
            default -> null;
        };
        return operator == null || call.operandCount() != 2
                ? null
                : new SqlBasicCall(operator, call.getOperandList(), call.getParserPosition());
    }

    /// The pair of operators, with a marker name between them, that [QueryDialect] created.
    private static @Nullable SqlBasicCall marked(SqlBasicCall call) {
        if (call.operandCount() != 2
                || !(call.operand(0) instanceof SqlBasicCall inner)
                || inner.operandCount() != 2
                || !(inner.operand(1) instanceof SqlIdentifier mark)
                || !mark.isSimple()) {
            return null;
        }
        SqlOperator operator = switch (mark.getSimple()) {
            case QueryDialect.INTEGER_DIVISION -> INTEGER_DIVISION;
            case QueryDialect.JSON_VALUE -> ScalarFunctions.operator("json_extract");
            case QueryDialect.JSON_TEXT -> ScalarFunctions.operator("json_extract_string");
            default -> null;
        };
        return operator == null
                ? null
                : new SqlBasicCall(operator, List.of(inner.operand(0), call.operand(1)), call.getParserPosition());
    }

    /// Division without truncation: integers and decimals return a double.
    private static final class Division extends SqlBinaryOperator {
        Division() {
            super(
                    "/",
                    SqlKind.DIVIDE,
                    SqlStdOperatorTable.DIVIDE.getLeftPrec(),
                    true,
                    ReturnTypes.cascade(
                            call -> call.getTypeFactory().createSqlType(quotient(call)), SqlTypeTransforms.TO_NULLABLE),
                    InferTypes.FIRST_KNOWN,
                    OperandTypes.NUMERIC_NUMERIC);
        }

        private static SqlTypeName quotient(SqlOperatorBinding call) {
            boolean single = call.getOperandType(0).getSqlTypeName() == SqlTypeName.REAL
                    && call.getOperandType(1).getSqlTypeName() == SqlTypeName.REAL;
            return single ? SqlTypeName.REAL : SqlTypeName.DOUBLE;
        }
    }

    /// `//`: integer division for integers, the same as `/` for other numbers.
    private static final class IntegerDivision extends SqlBinaryOperator {
        IntegerDivision() {
            super(
                    QueryDialect.INTEGER_DIVISION,
                    SqlKind.OTHER,
                    SqlStdOperatorTable.DIVIDE.getLeftPrec(),
                    true,
                    ReturnTypes.cascade(IntegerDivision::quotient, SqlTypeTransforms.TO_NULLABLE),
                    InferTypes.FIRST_KNOWN,
                    OperandTypes.NUMERIC_NUMERIC);
        }

        private static RelDataType quotient(SqlOperatorBinding call) {
            boolean whole = SqlTypes.isInteger(call.getOperandType(0)) && SqlTypes.isInteger(call.getOperandType(1));
            return whole
                    ? ReturnTypes.LEAST_RESTRICTIVE.inferReturnType(call)
                    : call.getTypeFactory().createSqlType(SqlTypeName.DOUBLE);
        }
    }

    /// `+`, which also adds days to a date.
    private static final class Sum extends SqlMonotonicBinaryOperator {
        Sum() {
            super(
                    "+",
                    SqlKind.PLUS,
                    SqlStdOperatorTable.PLUS.getLeftPrec(),
                    true,
                    ofDates(SqlStdOperatorTable.PLUS.getReturnTypeInference()),
                    InferTypes.FIRST_KNOWN,
                    OperandTypes.or(OperandTypes.PLUS_OPERATOR, DATE_AND_NUMBER, NUMBER_AND_DATE));
        }
    }

    /// `-`, which also subtracts days from a date, and returns the days between two dates.
    private static final class Difference extends SqlMonotonicBinaryOperator {
        Difference() {
            super(
                    "-",
                    SqlKind.MINUS,
                    SqlStdOperatorTable.MINUS.getLeftPrec(),
                    true,
                    ofDates(SqlStdOperatorTable.MINUS.getReturnTypeInference()),
                    InferTypes.FIRST_KNOWN,
                    OperandTypes.or(OperandTypes.MINUS_OPERATOR, DATE_AND_NUMBER, DATES));
        }
    }

    private static SqlReturnTypeInference ofDates(SqlReturnTypeInference others) {
        SqlReturnTypeInference dates = ReturnTypes.cascade(
                call -> {
                    RelDataType left = call.getOperandType(0);
                    RelDataType right = call.getOperandType(1);
                    if (isDate(left) && isDate(right)) {
                        return call.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
                    }
                    boolean days =
                            isDate(left) && SqlTypes.isInteger(right) || SqlTypes.isInteger(left) && isDate(right);
                    return days ? call.getTypeFactory().createSqlType(SqlTypeName.DATE) : null;
                },
                SqlTypeTransforms.TO_NULLABLE);
        return call -> {
            boolean withDate = isDate(call.getOperandType(0)) || isDate(call.getOperandType(1));
            boolean withInterval =
                    SqlTypes.isInterval(call.getOperandType(0)) || SqlTypes.isInterval(call.getOperandType(1));
            return withDate && !withInterval ? dates.inferReturnType(call) : others.inferReturnType(call);
        };
    }

    /// Accepts operands of exactly these types: a timestamp is not converted to a date.
    private record Exactly(String signature, BiPredicate<RelDataType, RelDataType> types)
            implements SqlOperandTypeChecker {
        @Override
        public boolean checkOperandTypes(SqlCallBinding call, boolean throwOnFailure) {
            boolean holds = types.test(call.getOperandType(0), call.getOperandType(1));
            if (!holds && throwOnFailure) {
                throw call.newValidationSignatureError();
            }
            return holds;
        }

        @Override
        public SqlOperandCountRange getOperandCountRange() {
            return SqlOperandCountRanges.of(2);
        }

        @Override
        public String getAllowedSignatures(SqlOperator operator, String name) {
            return "'" + signature.replace("{0}", name) + "'";
        }
    }

    private static boolean isDate(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DATE;
    }
}
