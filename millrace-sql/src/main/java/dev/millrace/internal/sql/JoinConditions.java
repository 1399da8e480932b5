package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/// Classifies the conditions of a [JoinGraph].
///
/// - Equal columns form equivalence classes: `a = b and b = c` lets `a` be joined with `c`, and `a = 1` also applies to
///   `b`.
/// - Conditions on one leaf filter it before it is joined. `(a.x = 1 and ...) or (a.x = 2 and ...)` filters `a` by
///   `a.x = 1 or a.x = 2` beforehand, in addition to the full condition.
/// - Equalities that occur in every alternative of an OR are used only to connect what nothing else connects: they are
///   mostly on columns with few values (`cd1.marital_status = cd2.marital_status`), by which a join would be nearly a
///   cross product.
final class JoinConditions {
    /// A condition and the leaves it refers to.
    ///
    /// @param left,right leaves of both sides of an equality of expressions; null for other conditions
    /// @param isWeak extracted from an OR
    record Condition(
            RexNode node,
            BitSet leaves,
            @Nullable BitSet left,
            @Nullable BitSet right,
            boolean isWeak) {
        boolean isEquality() {
            return left != null;
        }
    }

    private final JoinGraph graph;
    private final RexBuilder builder;
    private final int[] parent;
    private final List<Set<RexNode>> filters = new ArrayList<>();
    private final List<Condition> others = new ArrayList<>();
    private List<int[]> classes;

    JoinConditions(JoinGraph graph, RexBuilder builder) {
        this.graph = graph;
        this.builder = builder;
        this.parent = new int[graph.columns()];
        for (int i = 0; i < parent.length; i++) {
            parent[i] = i;
        }
        graph.leaves().forEach(_ -> filters.add(new LinkedHashSet<>()));
        graph.conditions().forEach(this::add);
        classes = findClasses();
        carryFilters();
        equalInsideLeaves();
    }

    /// The conditions on a leaf's rows before they are joined.
    Set<RexNode> filters(int leaf) {
        return filters.get(leaf);
    }

    /// Classes of equal columns, each in more than one leaf.
    List<int[]> classes() {
        return classes;
    }

    /// Conditions that are neither a filter of a leaf nor an equality of columns.
    List<Condition> others() {
        return others;
    }

    private void add(RexNode condition) {
        if (condition.getKind() == SqlKind.OR && graph.leavesOf(condition).cardinality() > 1) {
            List<RexNode> parts = RelOptUtil.conjunctions(RexUtil.pullFactors(builder, condition));
            for (RexNode part : parts) {
                addPart(part, parts.size() > 1 && part.getKind() == SqlKind.EQUALS);
            }
        } else {
            addPart(condition, false);
        }
    }

    private void addPart(RexNode condition, boolean isWeak) {
        BitSet leaves = graph.leavesOf(condition);
        if (leaves.isEmpty()) {
            // A constant condition can be applied to any leaf that is not optional.
            filters.getFirst().add(condition);
            return;
        }
        if (leaves.cardinality() == 1
                && !graph.leaves().get(leaves.nextSetBit(0)).isOptional()) {
            filters.get(leaves.nextSetBit(0)).add(condition);
            return;
        }
        // Conditions on columns of an optional leaf apply after its join.
        for (int leaf = leaves.nextSetBit(0); leaf >= 0; leaf = leaves.nextSetBit(leaf + 1)) {
            if (graph.leaves().get(leaf).isOptional()) {
                leaves.or(graph.leaves().get(leaf).needs());
            }
        }
        if (condition instanceof RexCall call
                && (call.getKind() == SqlKind.EQUALS || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM)) {
            RexNode left = call.getOperands().getFirst();
            RexNode right = call.getOperands().getLast();
            if (!isWeak && call.getKind() == SqlKind.EQUALS && isSameColumns(left, right)) {
                unite(((RexInputRef) left).getIndex(), ((RexInputRef) right).getIndex());
                return;
            }
            BitSet lefts = graph.leavesOf(left);
            BitSet rights = graph.leavesOf(right);
            if (!lefts.isEmpty() && !rights.isEmpty() && !lefts.intersects(rights)) {
                others.add(new Condition(condition, leaves, lefts, rights, isWeak));
                return;
            }
        }
        others.add(new Condition(condition, leaves, null, null, false));
        if (condition.getKind() == SqlKind.OR) {
            filterAhead(condition, leaves);
        }
    }

    private boolean isSameColumns(RexNode left, RexNode right) {
        return isColumn(left) && isColumn(right) && isSameType(left.getType(), right.getType());
    }

    private boolean isColumn(RexNode node) {
        return node instanceof RexInputRef column
                && !graph.leaves().get(graph.leafOf(column.getIndex())).isOptional();
    }

    private boolean isSameType(RelDataType left, RelDataType right) {
        return SqlTypeUtil.equalSansNullability(builder.getTypeFactory(), left, right);
    }

    /// If every alternative has a condition on one leaf alone, their disjunction holds for its rows.
    private void filterAhead(RexNode or, BitSet leaves) {
        for (int leaf = leaves.nextSetBit(0); leaf >= 0; leaf = leaves.nextSetBit(leaf + 1)) {
            if (graph.leaves().get(leaf).isOptional()) {
                continue;
            }
            List<RexNode> alternatives = new ArrayList<>();
            for (RexNode alternative : RelOptUtil.disjunctions(or)) {
                List<RexNode> about = new ArrayList<>();
                for (RexNode part : RelOptUtil.conjunctions(alternative)) {
                    BitSet used = graph.leavesOf(part);
                    if (used.cardinality() == 1 && used.get(leaf)) {
                        about.add(part);
                    }
                }
                if (about.isEmpty()) {
                    break;
                }
                alternatives.add(RexUtil.composeConjunction(builder, about));
            }
            if (alternatives.size() == RelOptUtil.disjunctions(or).size()) {
                filters.get(leaf).add(RexUtil.composeDisjunction(builder, alternatives));
            }
        }
    }

    private int find(int column) {
        int root = column;
        while (parent[root] != root) {
            root = parent[root];
        }
        return root;
    }

    private void unite(int one, int other) {
        int first = Math.min(find(one), find(other));
        parent[Math.max(find(one), find(other))] = first;
    }

    private List<int[]> findClasses() {
        Map<Integer, TreeSet<Integer>> members = new LinkedHashMap<>();
        for (int column = 0; column < parent.length; column++) {
            members.computeIfAbsent(find(column), _ -> new TreeSet<>()).add(column);
        }
        List<int[]> found = new ArrayList<>();
        for (TreeSet<Integer> columns : members.values()) {
            if (columns.size() > 1) {
                found.add(columns.stream().mapToInt(Integer::intValue).toArray());
            }
        }
        return found;
    }

    /// A condition on one column of a class holds for all of them.
    private void carryFilters() {
        for (int[] equal : classes) {
            Set<RexNode> about = new HashSet<>();
            for (int column : equal) {
                for (RexNode filter : filters.get(graph.leafOf(column))) {
                    var used = RelOptUtil.InputFinder.bits(filter);
                    if (used.cardinality() == 1 && used.get(column) && RexUtil.isDeterministic(filter)) {
                        about.add(moved(filter, equal[0]));
                    }
                }
            }
            for (int column : equal) {
                for (RexNode filter : about) {
                    filters.get(graph.leafOf(column)).add(moved(filter, column));
                }
            }
        }
    }

    /// A condition on one column, rewritten for another.
    private RexNode moved(RexNode filter, int column) {
        RexNode to = column(column);
        return filter.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef input) {
                return to;
            }
        });
    }

    /// Two columns of one leaf may be in the same class.
    private void equalInsideLeaves() {
        for (int[] equal : classes) {
            for (int i = 1; i < equal.length; i++) {
                if (graph.leafOf(equal[i]) == graph.leafOf(equal[i - 1])) {
                    filters.get(graph.leafOf(equal[i])).add(equal(equal[i - 1], equal[i]));
                }
            }
        }
    }

    RexNode equal(int left, int right) {
        return builder.makeCall(SqlStdOperatorTable.EQUALS, column(left), column(right));
    }

    private RexNode column(int column) {
        JoinGraph.Leaf leaf = graph.leaves().get(graph.leafOf(column));
        return builder.makeInputRef(
                leaf.node()
                        .getRowType()
                        .getFieldList()
                        .get(column - leaf.first())
                        .getType(),
                column);
    }
}
