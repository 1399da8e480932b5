package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.sql2rel.RelDecorrelator;

/// Turns correlations into joins. Calcite's decorrelation of a join mixes up the columns of an input that contains a
/// subquery correlated by a comparison other than equality: so each join input without references to outer columns is
/// decorrelated separately, which leaves nothing to do for the join.
final class QueryDecorrelation {
    private QueryDecorrelation() {}

    static RelNode of(RelNode query) {
        return whole(query.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(LogicalJoin join) {
                LogicalJoin visited = (LogicalJoin) super.visit(join);
                List<RelNode> inputs = new ArrayList<>();
                visited.getInputs().forEach(input -> inputs.add(isCorrelated(input) ? input : whole(input)));
                return inputs.equals(visited.getInputs()) ? visited : visited.copy(visited.getTraitSet(), inputs);
            }
        }));
    }

    private static RelNode whole(RelNode node) {
        return correlations(node).isEmpty()
                ? node
                : RelDecorrelator.decorrelateQuery(node, RelFactories.LOGICAL_BUILDER.create(node.getCluster(), null));
    }

    /// Whether the node refers to a column of an outer query.
    static boolean isCorrelated(RelNode node) {
        Set<CorrelationId> used = new HashSet<>(RelOptUtil.getVariablesUsed(node));
        used.removeAll(correlations(node));
        return !used.isEmpty();
    }

    /// The correlations that begin and end in the node.
    private static Set<CorrelationId> correlations(RelNode node) {
        Set<CorrelationId> found = new HashSet<>();
        new RelVisitor() {
            @Override
            public void visit(RelNode inner, int ordinal, RelNode parent) {
                if (inner instanceof Correlate correlate) {
                    found.add(correlate.getCorrelationId());
                }
                super.visit(inner, ordinal, parent);
            }
        }.go(node);
        return found;
    }
}
