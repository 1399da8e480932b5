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
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilderFactory;

/// Turns correlations into joins. Calcite's decorrelation of a join mixes up the columns of an input that contains a
/// subquery correlated by a comparison other than equality: so each join input without references to outer columns is
/// decorrelated separately, which leaves nothing to do for the join.
final class QueryDecorrelation {
    private final RelBuilderFactory builders;

    QueryDecorrelation(RelBuilderFactory builders) {
        this.builders = builders;
    }

    RelNode of(RelNode query) {
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

    /// Calcite checks that the columns have the same types as before, and fails where it finds another answer to
    /// whether a column may be null, as for an aggregate of duplicate grouping sets. Such columns are hidden, so that
    /// they keep their types.
    private RelNode whole(RelNode node) {
        if (correlations(node).isEmpty()) {
            return node;
        }
        try {
            return decorrelated(node);
        } catch (AssertionError e) {
            try {
                return decorrelated(OpaqueColumns.of(node, _ -> true));
            } catch (AssertionError again) {
                e.addSuppressed(again);
                throw e;
            }
        }
    }

    private RelNode decorrelated(RelNode node) {
        return RelDecorrelator.decorrelateQuery(node, builders.create(node.getCluster(), null));
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
