package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/// Computes several grouping sets in one pass over the input, if each aggregate can be computed from partial
/// aggregates: the rows are first grouped by all keys; each of those groups is then copied for every set, without the
/// keys that the set omits, and the copies are grouped again.
final class GroupingSets {
    /// Functions whose partial results are merged by the same function.
    private static final Set<String> MERGED_BY_THEMSELVES =
            Set.of("SUM", "$SUM0", "SUM0", "MIN", "MAX", "ANY_VALUE", "BOOL_AND", "EVERY", "BOOL_OR", "SOME");

    private static final int MAX_DIGITS = 38;

    private final org.apache.calcite.rel.core.Aggregate node;
    private final TranslatedRelation input;
    private final Session session;
    private final List<String> output;
    private final List<String> taken;

    private final List<Expression> before = new ArrayList<>();
    private final List<Aggregate> parts = new ArrayList<>();
    private final List<Aggregate> merges = new ArrayList<>();

    private GroupingSets(org.apache.calcite.rel.core.Aggregate node, TranslatedRelation input, Session session) {
        this.node = node;
        this.input = input;
        this.session = session;
        this.output = node.getRowType().getFieldNames();
        this.taken = new ArrayList<>(input.columns());
        taken.addAll(output);
    }

    /// Null if an aggregate needs all rows of a group at once.
    static @Nullable Dataset of(org.apache.calcite.rel.core.Aggregate node, TranslatedRelation input, Session session) {
        for (AggregateCall call : node.getAggCallList()) {
            if (!isMergeable(call, input)) {
                return null;
            }
        }
        return new GroupingSets(node, input, session).grouped();
    }

    private static boolean isMergeable(AggregateCall call, TranslatedRelation input) {
        String function = function(call);
        boolean plain = !call.isDistinct() || function.equals("MIN") || function.equals("MAX");
        return switch (function) {
            case "GROUPING", "GROUPING_ID" -> true;
            case "COUNT" -> plain;
            case "AVG" -> plain && isNumber(input.dataset().schema().type(argument(call, input)));
            default ->
                plain
                        && MERGED_BY_THEMSELVES.contains(function)
                        && call.getArgList().size() == 1;
        };
    }

    private static String function(AggregateCall call) {
        return call.getAggregation().getName().toUpperCase(Locale.ROOT);
    }

    private static String argument(AggregateCall call, TranslatedRelation input) {
        return input.columns().get(call.getArgList().getFirst());
    }

    private static boolean isNumber(DataType type) {
        return type instanceof DataType.Int || type instanceof DataType.Float || type instanceof DataType.Decimal;
    }

    private Dataset grouped() {
        String set = fresh("$set");
        List<Expression> results = new ArrayList<>();
        List<Expression> keys = new ArrayList<>();
        List<String> groups = new ArrayList<>(List.of(set));
        for (int key : node.getGroupSet()) {
            String made = fresh("$key");
            keys.add(when(isInSet(set, key))
                    .then(col(input.columns().get(key)))
                    .orNull()
                    .as(made));
            results.add(col(made).as(output.get(results.size())));
            groups.add(made);
        }
        for (int i = 0; i < node.getAggCallList().size(); i++) {
            AggregateCall call = node.getAggCallList().get(i);
            results.add(result(call, set).as(output.get(node.getGroupCount() + i)));
        }
        if (parts.isEmpty()) {
            add(Aggregates.count(), "SUM");
        }
        Dataset copies = finest().withColumn(set, setNumbers())
                .explode(set)
                .withColumns(keys.toArray(Expression[]::new))
                .select(columns(groups));
        return withTotals(copies, set)
                .groupBy(groups.toArray(String[]::new))
                .aggregate(merges.toArray(Aggregate[]::new))
                .select(results.toArray(Expression[]::new));
    }

    /// One row for each combination of all keys.
    private Dataset finest() {
        Dataset rows =
                before.isEmpty() ? input.dataset() : input.dataset().withColumns(before.toArray(Expression[]::new));
        String[] keys =
                node.getGroupSet().toList().stream().map(input.columns()::get).toArray(String[]::new);
        Aggregate[] aggregates = parts.toArray(Aggregate[]::new);
        return keys.length == 0
                ? rows.aggregate(aggregates)
                : rows.groupBy(keys).aggregate(aggregates);
    }

    private Expression setNumbers() {
        Object[] numbers = new Object[node.getGroupSets().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        return list(numbers);
    }

    /// Whether the set of a copy contains this key.
    private Expression isInSet(String set, int key) {
        List<Integer> sets = new ArrayList<>();
        for (int i = 0; i < node.getGroupSets().size(); i++) {
            if (node.getGroupSets().get(i).get(key)) {
                sets.add(i);
            }
        }
        return col(set).isIn(sets);
    }

    private String[] columns(List<String> groups) {
        List<String> columns = new ArrayList<>(groups);
        parts.forEach(part -> columns.add(part.name()));
        return columns.toArray(String[]::new);
    }

    /// The empty grouping set returns a row even for an empty input: one additional row of nulls ensures that.
    private Dataset withTotals(Dataset copies, String set) {
        int total = node.getGroupSets().indexOf(ImmutableBitSet.of());
        if (total < 0) {
            return copies;
        }
        List<Expression> row = new ArrayList<>();
        for (Field field : copies.schema().fields()) {
            row.add(
                    field.name().equals(set)
                            ? lit(total).cast(field.type()).as(set)
                            : new Literal(null, field.type()).as(field.name()));
        }
        return copies.union(session.items(List.of(Map.of("$", 0))).select(row.toArray(Expression[]::new)));
    }

    /// The result of a call, over the merged partial results.
    private Expression result(AggregateCall call, String set) {
        String function = function(call);
        Expression kept = call.hasFilter() ? coalesce(input.column(call.filterArg), false) : null;
        return switch (function) {
            case "GROUPING", "GROUPING_ID" -> grouping(call, set);
            case "COUNT" -> count(call, kept);
            case "AVG" -> {
                Expression sum = add(Aggregates.sum(exact(call, kept)), "SUM");
                Expression count = count(call, kept);
                yield when(count.gt(0L))
                        .then(sum.cast(DataType.FLOAT64).dividedBy(count.cast(DataType.FLOAT64)))
                        .orNull();
            }
            case "$SUM0", "SUM0" -> coalesce(add(part(function, value(call, kept)), function), 0);
            default -> add(part(function, value(call, kept)), function);
        };
    }

    private Expression grouping(AggregateCall call, String set) {
        Expression result =
                lit(AggregateTranslator.grouping(call, node.getGroupSets().getLast()));
        for (int i = node.getGroupSets().size() - 2; i >= 0; i--) {
            long bits = AggregateTranslator.grouping(call, node.getGroupSets().get(i));
            result = when(col(set).eq(i)).then(bits).otherwise(result);
        }
        return result;
    }

    private Expression count(AggregateCall call, @Nullable Expression kept) {
        Expression counts = kept;
        for (int argument : call.getArgList()) {
            Expression there = input.column(argument).isNotNull();
            counts = counts == null ? there : counts.and(there);
        }
        Aggregate part = counts == null
                ? Aggregates.count()
                : Aggregates.sum(computed(when(counts).then(1L).otherwise(0L)));
        return coalesce(add(part, "SUM"), lit(0L));
    }

    /// The argument column of a call, null in rows that its filter excludes.
    private String value(AggregateCall call, @Nullable Expression kept) {
        String column = argument(call, input);
        return kept == null ? column : computed(when(kept).then(col(column)).orNull());
    }

    /// The same for the sum of a mean, which may exceed int64 although the mean does not.
    private String exact(AggregateCall call, @Nullable Expression kept) {
        Expression value = col(argument(call, input));
        boolean isLong = input.dataset().schema().type(argument(call, input)) instanceof DataType.Int integer
                && integer.bits() == Long.SIZE;
        if (!isLong) {
            return value(call, kept);
        }
        Expression wide = value.cast(new DataType.Decimal(MAX_DIGITS, 0));
        return computed(kept == null ? wide : when(kept).then(wide).orNull());
    }

    private String computed(Expression expression) {
        String name = fresh("$computed");
        before.add(expression.as(name));
        return name;
    }

    private static Aggregate part(String function, String column) {
        return switch (function) {
            case "SUM", "$SUM0", "SUM0" -> Aggregates.sum(column);
            case "MIN", "ANY_VALUE" -> Aggregates.min(column);
            case "MAX" -> Aggregates.max(column);
            case "BOOL_AND", "EVERY" -> Aggregates.all(column);
            case "BOOL_OR", "SOME" -> Aggregates.any(column);
            default -> throw new IllegalStateException(function);
        };
    }

    /// Merges the results of a partial aggregate.
    private Expression add(Aggregate part, String merge) {
        String name = fresh("$part");
        String merged = fresh("$merged");
        parts.add(part.as(name));
        merges.add(part(merge, name).as(merged));
        return col(merged);
    }

    private String fresh(String name) {
        String free = TranslatedRelation.free(name, taken);
        taken.add(free);
        return free;
    }
}
