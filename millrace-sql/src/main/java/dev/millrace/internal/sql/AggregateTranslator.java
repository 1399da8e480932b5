package dev.millrace.internal.sql;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;

import dev.millrace.Dataset;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/// GROUP BY with its aggregates; of several grouping sets each by itself, one after the other.
final class AggregateTranslator {
    private final org.apache.calcite.rel.core.Aggregate node;
    private final Relation input;
    private final List<String> output;

    AggregateTranslator(org.apache.calcite.rel.core.Aggregate node, Relation input) {
        this.node = node;
        this.input = input;
        this.output = node.getRowType().getFieldNames();
    }

    Relation translate() {
        Dataset all = null;
        for (ImmutableBitSet set : node.getGroupSets()) {
            Dataset one = grouped(set);
            all = all == null ? one : all.union(one);
        }
        return new Relation(all, output);
    }

    private Dataset grouped(ImmutableBitSet set) {
        AggregateCalls calls = new AggregateCalls(input, output);
        List<Expression> results = new ArrayList<>();
        int position = 0;
        for (int key : node.getGroupSet()) {
            String name = input.columns().get(key);
            Expression value = set.get(key)
                    ? col(name)
                    : new Literal(null, input.dataset().schema().type(name));
            results.add(value.as(output.get(position)));
            position++;
        }
        List<Expression> constants = new ArrayList<>();
        for (AggregateCall call : node.getAggCallList()) {
            if (call.getAggregation().getKind() == SqlKind.GROUPING) {
                constants.add(lit(grouping(call, set)).as(output.get(position)));
                calls.after().add(constants.getLast());
            } else {
                calls.add(call, output.get(position));
            }
            position++;
        }
        results.addAll(calls.after());
        Dataset computed = calls.before().isEmpty()
                ? input.dataset()
                : input.dataset().withColumns(calls.before().toArray(Expression[]::new));
        List<Aggregate> aggregates =
                calls.aggregates().isEmpty() ? List.of(count().as(input.free("$count"))) : calls.aggregates();
        String[] keys = set.toList().stream().map(input.columns()::get).toArray(String[]::new);
        Dataset groups = keys.length == 0
                ? computed.aggregate(aggregates.toArray(Aggregate[]::new))
                : computed.groupBy(keys).aggregate(aggregates.toArray(Aggregate[]::new));
        return groups.select(results.toArray(Expression[]::new));
    }

    /// A bit for each argument, the first the highest: set where it is not grouped by.
    private static long grouping(AggregateCall call, ImmutableBitSet set) {
        long bits = 0;
        for (int argument : call.getArgList()) {
            bits = bits << 1 | (set.get(argument) ? 0 : 1);
        }
        return bits;
    }
}
