package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/// The adjacent inner and left joins of a query, flattened: what is joined (leaves), and the conditions, over the
/// columns of all leaves, numbered consecutively.
///
/// The right side of a left join is an optional leaf. It has the condition of its join and needs the leaves that this
/// condition refers to; other conditions on its columns apply after that join.
final class JoinGraph {
    /// @param first the number of the first column
    /// @param on the condition of the left join whose right side this is; null for a leaf of inner joins
    /// @param needs leaves that must be joined before an optional one
    record Leaf(
            RelNode node,
            int first,
            @Nullable List<RexNode> on,
            @Nullable BitSet needs) {
        boolean isOptional() {
            return on != null;
        }
    }

    private final RexBuilder builder;
    private final UnaryOperator<RelNode> inside;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Integer> leafOfColumn = new ArrayList<>();
    private final List<RexNode> conditions = new ArrayList<>();
    private List<RexNode> output = List.of();

    private JoinGraph(RexBuilder builder, UnaryOperator<RelNode> inside) {
        this.builder = builder;
        this.inside = inside;
    }

    /// @param inside applied to leaves
    static JoinGraph of(RelNode node, UnaryOperator<RelNode> inside) {
        JoinGraph graph = new JoinGraph(node.getCluster().getRexBuilder(), inside);
        graph.output = graph.collect(node);
        return graph;
    }

    /// Whether a node is such a join, or filters one or selects its columns.
    static boolean isJoins(RelNode node) {
        return switch (node) {
            case Join join -> join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.LEFT;
            case Filter filter -> RexUtil.isDeterministic(filter.getCondition()) && isJoins(filter.getInput());
            case Project project ->
                project.getProjects().stream().allMatch(RexInputRef.class::isInstance) && isJoins(project.getInput());
            default -> false;
        };
    }

    List<Leaf> leaves() {
        return leaves;
    }

    List<RexNode> conditions() {
        return conditions;
    }

    /// The output of the node, over the columns of all leaves.
    List<RexNode> output() {
        return output;
    }

    int columns() {
        return leafOfColumn.size();
    }

    int leafOf(int column) {
        return leafOfColumn.get(column);
    }

    /// The leaves whose columns an expression uses.
    BitSet leavesOf(RexNode node) {
        BitSet used = new BitSet();
        for (int column : RelOptUtil.InputFinder.bits(node)) {
            used.set(leafOfColumn.get(column));
        }
        return used;
    }

    /// The node's columns as expressions over the columns of leaves.
    private List<RexNode> collect(RelNode node) {
        if (!isJoins(node)) {
            return leaf(node);
        }
        return switch (node) {
            case Join join -> join(join);
            case Filter filter -> {
                List<RexNode> columns = collect(filter.getInput());
                addConditions(filter.getCondition(), columns, conditions);
                yield columns;
            }
            case Project project -> {
                List<RexNode> columns = collect(project.getInput());
                yield project.getProjects().stream()
                        .map(column -> columns.get(((RexInputRef) column).getIndex()))
                        .toList();
            }
            default -> throw new IllegalStateException(node.getRelTypeName());
        };
    }

    private List<RexNode> join(Join join) {
        int firstLeaf = leaves.size();
        List<RexNode> columns = new ArrayList<>(collect(join.getLeft()));
        if (join.getJoinType() == JoinRelType.INNER) {
            columns.addAll(collect(join.getRight()));
            addConditions(join.getCondition(), columns, conditions);
            return columns;
        }
        BitSet lefts = new BitSet();
        lefts.set(firstLeaf, leaves.size());
        List<RexNode> on = new ArrayList<>();
        BitSet needs = new BitSet();
        columns.addAll(add(join.getRight(), on, needs));
        addConditions(join.getCondition(), columns, on);
        on.forEach(part -> needs.or(leavesOf(part)));
        needs.clear(leaves.size() - 1);
        if (needs.isEmpty()) {
            needs.or(lefts);
        }
        return columns;
    }

    /// A leaf without its filters, which become conditions like any others.
    private List<RexNode> leaf(RelNode node) {
        if (node instanceof Filter filter && RexUtil.isDeterministic(filter.getCondition())) {
            List<RexNode> columns = leaf(filter.getInput());
            addConditions(filter.getCondition(), columns, conditions);
            return columns;
        }
        return add(node, null, null);
    }

    private List<RexNode> add(RelNode node, @Nullable List<RexNode> on, @Nullable BitSet needs) {
        RelNode done = inside.apply(node);
        leaves.add(new Leaf(done, columns(), on, needs));
        List<RexNode> columns = new ArrayList<>();
        for (RelDataTypeField field : done.getRowType().getFieldList()) {
            RelDataType type = on == null
                    ? field.getType()
                    : builder.getTypeFactory().createTypeWithNullability(field.getType(), true);
            columns.add(builder.makeInputRef(type, columns()));
            leafOfColumn.add(leaves.size() - 1);
        }
        return columns;
    }

    private static void addConditions(RexNode condition, List<RexNode> columns, List<RexNode> to) {
        for (RexNode part : RelOptUtil.conjunctions(condition)) {
            if (!part.isAlwaysTrue()) {
                to.add(replaced(part, columns));
            }
        }
    }

    static RexNode replaced(RexNode node, List<RexNode> columns) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef column) {
                return columns.get(column.getIndex());
            }
        });
    }
}
