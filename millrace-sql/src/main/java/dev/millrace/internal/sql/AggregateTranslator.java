package dev.millrace.internal.sql;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.relation.Join;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/// Translates GROUP BY with its aggregates. Several grouping sets are computed in one pass over the input if
/// [GroupingSets] supports them, otherwise one after the other.
final class AggregateTranslator {
    private final org.apache.calcite.rel.core.Aggregate node;
    private final TranslatedRelation input;
    private final List<String> output;

    AggregateTranslator(org.apache.calcite.rel.core.Aggregate node, TranslatedRelation input) {
        this.node = node;
        this.input = input;
        this.output = node.getRowType().getFieldNames();
    }

    /// @param session to create rows with
    TranslatedRelation translate(Session session) {
        Dataset merged = node.getGroupSets().size() == 1 ? null : GroupingSets.of(node, input, session);
        if (merged != null) {
            return new TranslatedRelation(merged, output);
        }
        Dataset all = grouped(node.getGroupSets().getFirst());
        for (ImmutableBitSet set :
                node.getGroupSets().subList(1, node.getGroupSets().size())) {
            all = all.union(grouped(set));
        }
        return new TranslatedRelation(all, output);
    }

    /// DISTINCT aggregates are computed from the distinct rows of their column, and joined with the others.
    private Dataset grouped(ImmutableBitSet set) {
        List<String> keys = set.toList().stream().map(input.columns()::get).toList();
        Map<DistinctValues, List<AggregateCall>> distinct = new LinkedHashMap<>();
        List<AggregateCall> plain = new ArrayList<>();
        List<Expression> results = new ArrayList<>(keys(set));
        for (int i = 0; i < node.getAggCallList().size(); i++) {
            AggregateCall call = node.getAggCallList().get(i);
            String name = output.get(node.getGroupCount() + i);
            if (call.getAggregation().getKind() == SqlKind.GROUPING) {
                results.add(lit(grouping(call, set)).as(name));
            } else {
                results.add(col(part(i)).as(name));
                if (AggregateCalls.needsDistinctRows(call)) {
                    DistinctValues values = new DistinctValues(call.getArgList().getFirst(), call.filterArg);
                    distinct.computeIfAbsent(values, _ -> new ArrayList<>()).add(call);
                } else {
                    plain.add(call);
                }
            }
        }
        Dataset groups = plain.isEmpty() && !distinct.isEmpty() ? null : computed(input, keys, plain);
        for (Map.Entry<DistinctValues, List<AggregateCall>> of : distinct.entrySet()) {
            Dataset next = computed(of.getKey(), keys, of.getValue());
            groups = groups == null ? next : joined(groups, next, keys, parts(of.getValue()));
        }
        return Objects.requireNonNull(groups, "there are calls of one kind or the other")
                .select(results.toArray(Expression[]::new));
    }

    private List<Expression> keys(ImmutableBitSet set) {
        List<Expression> keys = new ArrayList<>();
        for (int key : node.getGroupSet()) {
            String name = input.columns().get(key);
            Expression value = set.get(key)
                    ? col(name)
                    : new Literal(null, input.dataset().schema().type(name));
            keys.add(value.as(output.get(keys.size())));
        }
        return keys;
    }

    /// The column of a call's result before it gets its final name.
    private String part(int call) {
        return input.free("$part" + call);
    }

    private List<String> parts(List<AggregateCall> calls) {
        return calls.stream()
                .map(call -> part(node.getAggCallList().indexOf(call)))
                .toList();
    }

    /// The keys and one column for each call.
    private Dataset computed(TranslatedRelation from, List<String> keys, List<AggregateCall> of) {
        AggregateCalls calls = new AggregateCalls(from, output);
        List<String> names = parts(of);
        for (int i = 0; i < of.size(); i++) {
            calls.add(of.get(i), names.get(i));
        }
        return finished(from.dataset(), calls, keys);
    }

    private Dataset finished(Dataset from, AggregateCalls calls, List<String> keys) {
        Dataset rows = calls.before().isEmpty()
                ? from
                : from.withColumns(calls.before().toArray(Expression[]::new));
        Aggregate[] aggregates = calls.aggregates().isEmpty()
                ? new Aggregate[] {count().as(input.free("$count"))}
                : calls.aggregates().toArray(Aggregate[]::new);
        Dataset groups = keys.isEmpty()
                ? rows.aggregate(aggregates)
                : rows.groupBy(keys.toArray(String[]::new)).aggregate(aggregates);
        List<Expression> columns = new ArrayList<>();
        keys.forEach(key -> columns.add(col(key)));
        columns.addAll(calls.after());
        return columns.isEmpty() ? groups : groups.select(columns.toArray(Expression[]::new));
    }

    /// The same over the distinct values of each group; null for rows that a call's filter excludes.
    private Dataset computed(DistinctValues values, List<String> keys, List<AggregateCall> of) {
        String name = input.free("$distinct");
        Expression value = input.column(values.column());
        if (values.filter() >= 0) {
            value = when(coalesce(input.column(values.filter()), false))
                    .then(value)
                    .orNull();
        }
        List<Expression> columns = new ArrayList<>();
        keys.forEach(key -> columns.add(col(key)));
        columns.add(value.as(name));
        Dataset rows =
                input.dataset().select(columns.toArray(Expression[]::new)).distinct();
        List<String> names = new ArrayList<>(input.columns());
        names.set(values.column(), name);
        AggregateCalls calls = new AggregateCalls(new TranslatedRelation(rows, names), output);
        List<String> parts = parts(of);
        for (int i = 0; i < of.size(); i++) {
            calls.add(of.get(i).withDistinct(false).withFilter(-1), parts.get(i));
        }
        return finished(rows, calls, keys);
    }

    private static Dataset joined(Dataset groups, Dataset others, List<String> keys, List<String> columns) {
        if (keys.isEmpty()) {
            return groups.join(others, Join.cross());
        }
        List<Expression> left = NullSafeKeys.of(groups.schema(), keys, "$key");
        List<Expression> right = new ArrayList<>(NullSafeKeys.of(others.schema(), keys, "$key"));
        columns.forEach(column -> right.add(col(column)));
        List<String> names = NullSafeKeys.names(left);
        return groups.withColumns(left.toArray(Expression[]::new))
                .join(
                        others.select(right.toArray(Expression[]::new)),
                        new Join(Join.Kind.INNER, names, names, null, null));
    }

    /// A column of the input, and the column of the filter of its values, or -1.
    private record DistinctValues(int column, int filter) {}

    /// GROUPING: a bit for each argument, the first one the highest, which is set if the argument is not a grouping
    /// key.
    static long grouping(AggregateCall call, ImmutableBitSet set) {
        long bits = 0;
        for (int argument : call.getArgList()) {
            bits = bits << 1 | (set.get(argument) ? 0 : 1);
        }
        return bits;
    }
}
