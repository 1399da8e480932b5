package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import com.google.common.collect.ImmutableSet;
import dev.millrace.expression.ColumnCall;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeCoercionRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/// SQL casts: numbers are rounded if the target has fewer digits, where a cast of expressions would fail.
final class SqlCasts {
    /// The casts that are allowed: those of the standard, and between booleans and numbers.
    static final SqlTypeCoercionRule RULES = rules();

    /// Calcite's conversion of calls to expressions, with three exceptions.
    ///
    /// - What is cast to a text, and the truth that is cast to another type, is hidden. A rule would drop the inner
    /// cast
    ///   of `CAST(CAST(small AS DOUBLE) AS VARCHAR)`, which loses no value but changes the text, and would take
    ///   `x = CAST(true AS VARCHAR)` for `x = true`, and that for `x`.
    /// - `IS [NOT] DISTINCT FROM` of a decimal and a floating-point number compares the latter, as `=` does.
    /// - Decimals are compared as they are: Calcite would cast both to a type of 38 digits, which rounds if they need
    /// more.
    static final SqlRexConvertletTable CONVERSIONS = call -> {
        SqlRexConvertlet usual = StandardConvertletTable.INSTANCE.get(call);
        return switch (call.getKind()) {
            case CAST, SAFE_CAST ->
                (context, cast) -> hidingOperand(usual.convertCall(context, cast), context.getRexBuilder());
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                (context, comparison) -> exactly(comparison, usual.convertCall(context, comparison));
            case IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM ->
                (context, comparison) ->
                        ofOneKind(exactly(comparison, usual.convertCall(context, comparison)), context.getRexBuilder());
            default -> usual;
        };
    };

    private static final Pattern FRACTIONS = Pattern.compile("\\s*[+-]?[0-9]{1,30}[.][0-9]{0,100}\\s*");
    private static final DataType FRACTION = DataType.decimal(38, 10);
    /// An abbreviated offset after a time, `+01` for `+01:00`.
    private static final String SHORT_OFFSET = "(:[0-9]{2}(?:[.][0-9]+)?[+-][0-9]{2})$";

    private SqlCasts() {}

    private static RexNode hidingOperand(RexNode converted, RexBuilder builder) {
        if (!(converted instanceof RexCall cast) || !cast.isA(Set.of(SqlKind.CAST, SqlKind.SAFE_CAST))) {
            return converted;
        }
        RexNode operand = cast.getOperands().getFirst();
        boolean toText = SqlTypes.isText(cast.getType()) && !SqlTypes.isText(operand.getType());
        boolean ofTruth = isTruth(operand) && !isTruth(cast);
        return toText || ofTruth ? cast.clone(cast.getType(), List.of(OpaqueColumns.of(operand, builder))) : converted;
    }

    /// The comparison without casts of decimals that are not written.
    private static RexNode exactly(SqlCall written, RexNode converted) {
        if (!(converted instanceof RexCall call) || call.getOperands().size() != written.operandCount()) {
            return converted;
        }
        List<RexNode> operands = new ArrayList<>();
        for (int i = 0; i < call.getOperands().size(); i++) {
            RexNode operand = call.getOperands().get(i);
            boolean added = operand instanceof RexCall cast
                    && cast.isA(SqlKind.CAST)
                    && written.operand(i).getKind() != SqlKind.CAST
                    && SqlTypes.isDecimal(cast.getType())
                    && SqlTypes.isDecimal(cast.getOperands().getFirst().getType());
            operands.add(added ? ((RexCall) operand).getOperands().getFirst() : operand);
        }
        return call.clone(call.getType(), operands);
    }

    /// Comparisons of a floating-point number with an exact one as those of two floating-point numbers, which `=` is
    /// when it is written. Calcite cannot combine conditions on one column whose constants are of both kinds.
    private static RexNode ofOneKind(RexNode converted, RexBuilder builder) {
        return converted.accept(new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                boolean mixed = call.isA(SqlKind.EQUALS)
                        && call.getOperands().stream().allMatch(each -> SqlTypeUtil.isNumeric(each.getType()))
                        && call.getOperands().stream().anyMatch(SqlCasts::isFloating);
                return mixed
                        ? call.clone(
                                call.getType(),
                                call.getOperands().stream()
                                        .map(each -> floating(each, builder))
                                        .toList())
                        : super.visitCall(call);
            }
        });
    }

    private static boolean isFloating(RexNode value) {
        return SqlTypeUtil.isApproximateNumeric(value.getType());
    }

    private static RexNode floating(RexNode number, RexBuilder builder) {
        RelDataTypeFactory types = builder.getTypeFactory();
        return isFloating(number)
                ? number
                : builder.makeCast(
                        types.createTypeWithNullability(
                                types.createSqlType(SqlTypeName.DOUBLE),
                                number.getType().isNullable()),
                        number);
    }

    private static boolean isTruth(RexNode value) {
        return value.getType().getSqlTypeName() == SqlTypeName.BOOLEAN;
    }

    private static SqlTypeCoercionRule rules() {
        Map<SqlTypeName, ImmutableSet<SqlTypeName>> rules =
                new HashMap<>(SqlTypeCoercionRule.lenientInstance().getTypeMapping());
        for (SqlTypeName number : SqlTypeName.NUMERIC_TYPES) {
            rules.put(number, with(rules.get(number), SqlTypeName.BOOLEAN));
            rules.put(SqlTypeName.BOOLEAN, with(rules.get(SqlTypeName.BOOLEAN), number));
        }
        return SqlTypeCoercionRule.instance(rules);
    }

    private static ImmutableSet<SqlTypeName> with(@Nullable ImmutableSet<SqlTypeName> types, SqlTypeName more) {
        return ImmutableSet.<SqlTypeName>builder()
                .addAll(types == null ? ImmutableSet.of() : types)
                .add(more)
                .build();
    }

    /// @param checked false to return null if a value does not fit
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
        if (target instanceof DataType.Utf8) {
            return text(value, from);
        }
        if (SqlTypes.isText(from) && SqlTypes.isInteger(to)) {
            return whole(value, target, checked);
        }
        Expression rounded =
                SqlTypes.isText(from) && SqlTypes.isZoned(to) ? value.regexReplaceFirst(SHORT_OFFSET, "$1:00") : value;
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

    /// A text with a fraction is rounded to an integer.
    private static Expression whole(Expression text, DataType target, boolean checked) {
        if (text instanceof Literal(String value, DataType _)
                && FRACTIONS.matcher(value).matches()) {
            BigDecimal number = new BigDecimal(value.strip()).setScale(0, RoundingMode.HALF_UP);
            return checked ? lit(number).cast(target) : lit(number).tryCast(target);
        }
        Expression plain = text.tryCast(target);
        Expression fraction = text.tryCast(FRACTION);
        Expression refused = text.isNotNull().and(plain.isNull()).and(fraction.isNotNull());
        return when(refused)
                .then(checked ? fraction.round().cast(target) : fraction.round().tryCast(target))
                .otherwise(checked ? text.cast(target) : plain);
    }

    /// The value as text, in DuckDB's format.
    static Expression text(Expression value, RelDataType from) {
        return switch (from.getSqlTypeName()) {
            case CHAR, VARCHAR -> value;
            case NULL -> new Literal(null, DataType.UTF8);
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, UTINYINT, USMALLINT, UINTEGER, UBIGINT, DECIMAL ->
                value.cast(DataType.UTF8);
            default -> new ColumnCall(ValueText.INSTANCE, List.of(value));
        };
    }
}
