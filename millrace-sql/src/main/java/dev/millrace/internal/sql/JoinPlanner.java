package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/// Takes the joins of a query apart ([JoinGraph]), chooses their order ([JoinOrder]) and rebuilds them, with each
/// condition at the first join where all its columns are available.
final class JoinPlanner {
    private final RexBuilder builder;
    private final RowEstimates estimates = new RowEstimates();

    JoinPlanner(RexBuilder builder) {
        this.builder = builder;
    }

    RelNode ordered(RelNode node) {
        if (JoinGraph.isJoins(node)) {
            return joins(node);
        }
        List<RelNode> inputs = new ArrayList<>();
        node.getInputs().forEach(input -> inputs.add(ordered(input)));
        return inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    }

    private RelNode joins(RelNode node) {
        JoinGraph graph = JoinGraph.of(node, this::ordered);
        JoinConditions conditions = new JoinConditions(graph, builder);
        JoinTree tree = JoinOrder.of(graph, conditions, estimates, builder);
        PlannedNode joined = new TreeAssembly(graph, conditions).of(tree);
        List<RexNode> output = new ArrayList<>();
        graph.output().forEach(column -> output.add(joined.over(column)));
        RelNode project = LogicalProject.create(
                joined.node(), List.of(), output, node.getRowType().getFieldNames(), Set.of());
        return RelOptUtil.createCastRel(project, node.getRowType(), true);
    }

    /// A node, and the positions of the graph's columns in its row.
    private record PlannedNode(RelNode node, Map<Integer, Integer> places, RexBuilder builder) {
        RexNode over(RexNode condition) {
            return condition.accept(new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef column) {
                    return builder.makeInputRef(
                            node, Objects.requireNonNull(places.get(column.getIndex()), "a column of a leaf"));
                }
            });
        }

        PlannedNode filtered(List<RexNode> conditions) {
            return conditions.isEmpty()
                    ? this
                    : new PlannedNode(
                            LogicalFilter.create(node, over(RexUtil.composeConjunction(builder, conditions))),
                            places,
                            builder);
        }
    }

    private final class TreeAssembly {
        private final JoinGraph graph;
        private final JoinConditions conditions;

        TreeAssembly(JoinGraph graph, JoinConditions conditions) {
            this.graph = graph;
            this.conditions = conditions;
        }

        PlannedNode of(JoinTree tree) {
            return tree.isLeaf() ? leaf(tree.leaf()) : join(tree);
        }

        private PlannedNode leaf(int number) {
            JoinGraph.Leaf leaf = graph.leaves().get(number);
            Map<Integer, Integer> places = new HashMap<>();
            for (int i = 0; i < leaf.node().getRowType().getFieldCount(); i++) {
                places.put(leaf.first() + i, i);
            }
            return new PlannedNode(leaf.node(), places, builder).filtered(List.copyOf(conditions.filters(number)));
        }

        private PlannedNode join(JoinTree tree) {
            JoinTree rightTree = tree.requireRight();
            PlannedNode left = of(tree.requireLeft());
            PlannedNode right = of(rightTree);
            List<RexNode> now = now(tree);
            List<RexNode> on =
                    rightTree.isLeaf() ? graph.leaves().get(rightTree.leaf()).on() : null;
            if (on != null) {
                return joined(left, right, on, JoinRelType.LEFT).filtered(now);
            }
            return joined(left, right, now, JoinRelType.INNER);
        }

        private PlannedNode joined(PlannedNode left, PlannedNode right, List<RexNode> on, JoinRelType type) {
            Map<Integer, Integer> places = new HashMap<>(left.places());
            int fields = left.node().getRowType().getFieldCount();
            right.places().forEach((column, place) -> places.put(column, fields + place));
            RelNode product = LogicalJoin.create(
                    left.node(), right.node(), List.of(), builder.makeLiteral(true), Set.of(), JoinRelType.INNER);
            // References have the types of the row that the condition sees: those of the two sides.
            PlannedNode sides = new PlannedNode(product, places, builder);
            RexNode condition = sides.over(RexUtil.composeConjunction(builder, on));
            return new PlannedNode(
                    LogicalJoin.create(left.node(), right.node(), List.of(), condition, Set.of(), type),
                    places,
                    builder);
        }

        /// The conditions that can be applied at this join.
        private List<RexNode> now(JoinTree tree) {
            JoinTree leftTree = tree.requireLeft();
            JoinTree rightTree = tree.requireRight();
            List<RexNode> now = new ArrayList<>();
            for (int[] equal : conditions.classes()) {
                int left = member(equal, leftTree.leaves());
                int right = member(equal, rightTree.leaves());
                if (left >= 0 && right >= 0) {
                    now.add(conditions.equal(left, right));
                }
            }
            for (JoinConditions.Condition condition : conditions.others()) {
                if (JoinOrder.becomesTrue(condition, leftTree, rightTree)) {
                    now.add(condition.node());
                }
            }
            return now;
        }

        private int member(int[] equal, BitSet leaves) {
            for (int column : equal) {
                if (leaves.get(graph.leafOf(column))) {
                    return column;
                }
            }
            return -1;
        }
    }
}
