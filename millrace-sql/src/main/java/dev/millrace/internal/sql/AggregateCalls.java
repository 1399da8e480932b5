package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.struct;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.jspecify.annotations.Nullable;

/// Translates the aggregate calls of one node to columns computed before, aggregates, and expressions after.
final class AggregateCalls {
    private static final SqlReturnTypeInference DOUBLE = ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE);
    private static final SqlReturnTypeInference SAME = ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE);
    private static final List<SqlAggFunction> OWN = List.of(
            function("MEDIAN", DOUBLE),
            function("FIRST", SAME),
            function("LAST", SAME),
            function("BOOL_AND", SAME),
            function("BOOL_OR", SAME),
            function("LIST", ReturnTypes.TO_ARRAY),
            function("ARRAY_AGG", ReturnTypes.TO_ARRAY),
            ofPairs("CORR"),
            ofPairs("COVAR_POP"),
            ofPairs("COVAR_SAMP"));

    /// Functions whose result does not depend on duplicates, or that handle DISTINCT themselves.
    private static final Set<String> INDIFFERENT =
            Set.of("MIN", "MAX", "ANY_VALUE", "BOOL_AND", "BOOL_OR", "EVERY", "SOME", "COUNT");
    /// Functions whose result depends on the order of the rows.
    private static final Set<String> ORDERED = Set.of("FIRST", "LAST", "LIST", "ARRAY_AGG");

    private final TranslatedRelation input;
    private final List<String> taken;
    private final List<Expression> before = new ArrayList<>();
    private final List<Aggregate> aggregates = new ArrayList<>();
    private final List<Expression> after = new ArrayList<>();

    AggregateCalls(TranslatedRelation input, List<String> outputs) {
        this.input = input;
        this.taken = new ArrayList<>(input.columns());
        taken.addAll(outputs);
    }

    private static SqlAggFunction function(String name, SqlReturnTypeInference result) {
        return SqlBasicAggFunction.create(name, SqlKind.OTHER_FUNCTION, result, OperandTypes.ANY);
    }

    private static SqlAggFunction ofPairs(String name) {
        return SqlBasicAggFunction.create(name, SqlKind.OTHER_FUNCTION, DOUBLE, OperandTypes.NUMERIC_NUMERIC);
    }

    /// The names, in lower case, of functions that the standard does not define, or whose names it reserves.
    static Set<String> names() {
        return OWN.stream()
                .map(function -> function.getName().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    static List<? extends SqlOperator> operators() {
        return OWN;
    }

    /// True for DISTINCT calls that need an input of distinct rows.
    static boolean needsDistinctRows(AggregateCall call) {
        String function = call.getAggregation().getName().toUpperCase(Locale.ROOT);
        if (!call.isDistinct() || INDIFFERENT.contains(function)) {
            return false;
        }
        if (ORDERED.contains(function) || call.getArgList().size() != 1) {
            throw RexTranslator.unsupported(
                    function + "(DISTINCT ...)" + (ORDERED.contains(function) ? "" : " of several columns"),
                    "Select the distinct rows in a subquery, SELECT DISTINCT ..., and aggregate those.");
        }
        return true;
    }

    /// Columns that the aggregates need in addition to those of the input.
    List<Expression> before() {
        return before;
    }

    List<Aggregate> aggregates() {
        return aggregates;
    }

    /// One expression for each call, over the aggregates.
    List<Expression> after() {
        return after;
    }

    void add(AggregateCall call, String name) {
        after.add(result(call).as(name));
    }

    private Expression result(AggregateCall call) {
        Expression kept = call.hasFilter() ? coalesce(input.column(call.filterArg), false) : null;
        String function = call.getAggregation().getName().toUpperCase(Locale.ROOT);
        if (function.equals("COUNT")) {
            return counted(call, kept);
        }
        if (function.equals("LITERAL_AGG")) {
            return SqlLiterals.of((RexLiteral) call.rexList.getFirst());
        }
        if (PairMoments.NAMES.contains(function) && !call.isDistinct()) {
            return ofPairs(call, function, kept);
        }
        if (call.getArgList().size() != 1
                || call.isApproximate()
                || !call.getCollation().getKeys().isEmpty()) {
            throw RexTranslator.unsupported("The aggregate " + call);
        }
        if (kept != null && ORDERED.contains(function)) {
            throw RexTranslator.unsupported(
                    function + "(...) FILTER", "Choose the rows in a subquery with WHERE, and aggregate those.");
        }
        Expression value = input.column(call.getArgList().getFirst());
        String column = kept == null
                ? input.columns().get(call.getArgList().getFirst())
                : computed(when(kept).then(value).orNull());
        return switch (function) {
            case "SUM" -> aggregate(Aggregates.sum(column));
            case "$SUM0", "SUM0" -> coalesce(aggregate(Aggregates.sum(column)), 0);
            case "AVG" -> aggregate(Aggregates.mean(column));
            case "MIN" -> aggregate(Aggregates.min(column));
            case "MAX" -> aggregate(Aggregates.max(column));
            case "STDDEV_POP" -> aggregate(Aggregates.std(column, 0));
            case "VAR_POP" -> aggregate(Aggregates.variance(column, 0));
            case "STDDEV", "STDDEV_SAMP" -> ofTwo(value, kept, Aggregates.std(column));
            case "VARIANCE", "VAR_SAMP" -> ofTwo(value, kept, Aggregates.variance(column));
            case "BOOL_AND", "EVERY" -> aggregate(Aggregates.all(column));
            case "BOOL_OR", "SOME" -> aggregate(Aggregates.any(column));
            case "MEDIAN" -> aggregate(Aggregates.quantile(column, 0.5));
            case "ANY_VALUE" -> aggregate(Aggregates.min(column));
            case "FIRST" -> aggregate(Aggregates.first(column));
            case "LAST" -> aggregate(Aggregates.last(column));
            case "LIST", "ARRAY_AGG" -> aggregate(Aggregates.list(column));
            case "SINGLE_VALUE" -> SingleValue.of(aggregate(Aggregates.first(column)), aggregate(Aggregates.count()));
            default -> throw RexTranslator.unsupported("The aggregate " + function);
        };
    }

    private Expression ofPairs(AggregateCall call, String function, @Nullable Expression kept) {
        Expression pair = struct(
                input.column(call.getArgList().get(0)).cast(DataType.FLOAT64).as(PairMoments.X),
                input.column(call.getArgList().get(1)).cast(DataType.FLOAT64).as(PairMoments.Y));
        String column = computed(kept == null ? pair : when(kept).then(pair).orNull());
        return aggregate(Aggregates.define(function, column, new PairMoments(function)));
    }

    /// Null if there are fewer than two values.
    private Expression ofTwo(Expression value, @Nullable Expression kept, Aggregate aggregate) {
        Expression there = kept == null ? value.isNotNull() : value.isNotNull().and(kept);
        Expression count =
                aggregate(Aggregates.sum(computed(when(there).then(1L).otherwise(0L))));
        return when(count.gt(1)).then(aggregate(aggregate)).orNull();
    }

    private Expression counted(AggregateCall call, @Nullable Expression kept) {
        List<Integer> arguments = call.getArgList();
        if (call.isDistinct()) {
            if (arguments.size() != 1) {
                throw RexTranslator.unsupported(
                        "COUNT(DISTINCT ...) of several columns",
                        "Count the rows of a subquery, SELECT DISTINCT a, b FROM ....");
            }
            Expression value = input.column(arguments.getFirst());
            String column = kept == null
                    ? input.columns().get(arguments.getFirst())
                    : computed(when(kept).then(value).orNull());
            return aggregate(Aggregates.countDistinct(column));
        }
        Expression counts = kept;
        for (int argument : arguments) {
            Expression there = input.column(argument).isNotNull();
            counts = counts == null ? there : counts.and(there);
        }
        if (counts == null) {
            return aggregate(Aggregates.count());
        }
        return coalesce(aggregate(Aggregates.sum(computed(when(counts).then(1L).otherwise(0L)))), lit(0L));
    }

    private String computed(Expression expression) {
        String name = fresh("$computed");
        before.add(expression.as(name));
        return name;
    }

    private Expression aggregate(Aggregate aggregate) {
        String name = fresh("$aggregate");
        aggregates.add(aggregate.as(name));
        return col(name);
    }

    private String fresh(String name) {
        String free = TranslatedRelation.free(name, taken);
        taken.add(free);
        return free;
    }
}
