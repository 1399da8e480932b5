package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/// Chooses the order in which the leaves of a [JoinGraph] are joined: the one with the lowest estimated number of rows
/// read and produced.
///
/// Leaves connected by equalities are ordered first: up to [#MAX_EXACT] of them by dynamic programming over sets of
/// leaves (all orders without cross products), more of them greedily, the pair with the smallest result first.
/// Unconnected parts are then joined by weaker conditions, and finally by cross products.
final class JoinOrder {
    static final int MAX_EXACT = 10;
    /// A row of the build side costs more than a row of the probe side.
    private static final double BUILD_COST = 2;
    /// The assumed selectivity of a condition that is not an equality.
    private static final double PAIRED = 0.3;

    private final JoinGraph graph;
    private final JoinConditions conditions;
    private final List<JoinTree> leaves = new ArrayList<>();
    private final List<RelationEstimate> estimates = new ArrayList<>();

    private JoinOrder(JoinGraph graph, JoinConditions conditions) {
        this.graph = graph;
        this.conditions = conditions;
    }

    static JoinTree of(JoinGraph graph, JoinConditions conditions, RowEstimates estimates, RexBuilder builder) {
        JoinOrder order = new JoinOrder(graph, conditions);
        for (int i = 0; i < graph.leaves().size(); i++) {
            order.leaves.add(order.leaf(i, estimates, builder));
        }
        return order.all();
    }

    private JoinTree leaf(int leaf, RowEstimates known, RexBuilder builder) {
        JoinGraph.Leaf there = graph.leaves().get(leaf);
        RelNode node = there.node();
        RelationEstimate rows = known.of(node);
        if (!conditions.filters(leaf).isEmpty()) {
            RexNode filter = RexUtil.composeConjunction(builder, conditions.filters(leaf));
            rows = FilterSelectivity.filtered(builder, RexUtil.shift(filter, -there.first()), rows);
        }
        this.estimates.add(rows);
        double[] distinct = new double[conditions.classes().size()];
        Arrays.fill(distinct, Double.NaN);
        for (int i = 0; i < distinct.length; i++) {
            for (int column : conditions.classes().get(i)) {
                if (graph.leafOf(column) == leaf) {
                    distinct[i] = distinct(column);
                }
            }
        }
        BitSet only = new BitSet();
        only.set(leaf);
        return new JoinTree(leaf, null, null, only, rows.rows(), distinct, 0);
    }

    private JoinTree all() {
        List<JoinTree> parts = new ArrayList<>();
        for (List<JoinTree> connected : components()) {
            parts.add(connected.size() <= MAX_EXACT ? exact(connected) : greedy(connected));
        }
        return greedy(parts);
    }

    /// Leaves connected by equalities, and optional ones with the leaves they need.
    private List<List<JoinTree>> components() {
        List<List<JoinTree>> components = new ArrayList<>();
        BitSet done = new BitSet();
        for (int first = 0; first < leaves.size(); first++) {
            if (done.get(first)) {
                continue;
            }
            BitSet reached = new BitSet();
            reached.set(first);
            for (int before = 0; before < reached.cardinality(); ) {
                before = reached.cardinality();
                grow(reached);
            }
            done.or(reached);
            components.add(reached.stream().mapToObj(leaves::get).toList());
        }
        return components;
    }

    private void grow(BitSet reached) {
        for (int[] equal : conditions.classes()) {
            if (Arrays.stream(equal).anyMatch(column -> reached.get(graph.leafOf(column)))) {
                Arrays.stream(equal).forEach(column -> reached.set(graph.leafOf(column)));
            }
        }
        for (JoinConditions.Condition condition : conditions.others()) {
            if (isStrong(condition) && condition.leaves().intersects(reached)) {
                reached.or(condition.leaves());
            }
        }
        for (int i = 0; i < leaves.size(); i++) {
            BitSet needs = graph.leaves().get(i).needs();
            if (needs != null && (reached.get(i) || reached.intersects(needs))) {
                reached.set(i);
                reached.or(needs);
            }
        }
    }

    /// An explicit equality, or any condition with a leaf of one row, such as a scalar subquery.
    private boolean isStrong(JoinConditions.Condition condition) {
        return condition.isEquality() && !condition.isWeak()
                || condition.leaves().cardinality() > 1
                        && condition.leaves().stream()
                                .anyMatch(leaf -> leaves.get(leaf).rows() <= 1);
    }

    /// The best of all orders without cross products.
    private JoinTree exact(List<JoinTree> parts) {
        JoinTree[] best = new JoinTree[1 << parts.size()];
        for (int i = 0; i < parts.size(); i++) {
            best[1 << i] = parts.get(i);
        }
        for (int set = 1; set < best.length; set++) {
            for (int left = (set - 1) & set; left > 0; left = (left - 1) & set) {
                JoinTree one = best[left];
                JoinTree other = best[set ^ left];
                if (one != null && other != null && one.rows() >= other.rows() && isConnected(one, other, true)) {
                    JoinTree joined = joined(one, other, best[set]);
                    best[set] = best[set] == null || joined.cost() < best[set].cost() ? joined : best[set];
                }
            }
        }
        return best[best.length - 1] == null ? greedy(parts) : best[best.length - 1];
    }

    /// Repeatedly joins the two parts with the smallest result; cross products if nothing else is left.
    @SuppressWarnings("ReferenceEquality") // a part is not joined with itself; two may be equal
    private JoinTree greedy(List<JoinTree> parts) {
        List<JoinTree> open = new ArrayList<>(parts);
        while (open.size() > 1) {
            JoinTree best = null;
            int bestRank = Integer.MAX_VALUE;
            for (JoinTree one : open) {
                for (JoinTree other : open) {
                    if (one == other || one.rows() < other.rows() || !isPossible(one, other)) {
                        continue;
                    }
                    int rank = isConnected(one, other, true) ? 0 : isConnected(one, other, false) ? 1 : 2;
                    JoinTree joined = rank <= bestRank ? joined(one, other, null) : null;
                    if (joined != null && (rank < bestRank || best == null || joined.rows() < best.rows())) {
                        best = joined;
                        bestRank = rank;
                    }
                }
            }
            JoinTree next = Objects.requireNonNull(best, "two of the parts can always be joined");
            open.remove(next.requireLeft());
            open.remove(next.requireRight());
            open.add(next);
        }
        return open.getFirst();
    }

    /// An optional leaf is joined first with a tree that contains all leaves it needs.
    private boolean isPossible(JoinTree left, JoinTree right) {
        return needsMet(left, right) && needsMet(right, left);
    }

    private boolean needsMet(JoinTree one, JoinTree other) {
        BitSet needs = one.isLeaf() ? graph.leaves().get(one.leaf()).needs() : null;
        if (needs == null) {
            return true;
        }
        BitSet missing = (BitSet) needs.clone();
        missing.andNot(other.leaves());
        return missing.isEmpty();
    }

    private boolean isOptional(JoinTree tree) {
        return tree.isLeaf() && graph.leaves().get(tree.leaf()).isOptional();
    }

    /// @param strongly by an explicit equality
    private boolean isConnected(JoinTree left, JoinTree right, boolean strongly) {
        if (!isPossible(left, right)) {
            return false;
        }
        if (isOptional(left) || isOptional(right)) {
            return true;
        }
        for (int[] equal : conditions.classes()) {
            if (has(equal, left) && has(equal, right)) {
                return true;
            }
        }
        for (JoinConditions.Condition condition : conditions.others()) {
            if ((!strongly || isStrong(condition)) && becomesTrue(condition, left, right)) {
                return true;
            }
        }
        return false;
    }

    private boolean has(int[] equal, JoinTree tree) {
        for (int column : equal) {
            if (tree.leaves().get(graph.leafOf(column))) {
                return true;
            }
        }
        return false;
    }

    /// Whether a join is the first that has all leaves of a condition.
    static boolean becomesTrue(JoinConditions.Condition condition, JoinTree left, JoinTree right) {
        return !isInside(condition.leaves(), left.leaves())
                && !isInside(condition.leaves(), right.leaves())
                && condition.leaves().stream()
                        .allMatch(leaf ->
                                left.leaves().get(leaf) || right.leaves().get(leaf));
    }

    private static boolean isInside(BitSet some, BitSet all) {
        return some.stream().allMatch(all::get);
    }

    /// @param same another order of the same leaves, which has the same number of rows; or null
    private JoinTree joined(JoinTree left, JoinTree right, @Nullable JoinTree same) {
        boolean turned = isOptional(left);
        JoinTree first = turned ? right : left;
        JoinTree second = turned ? left : right;
        BitSet all = (BitSet) left.leaves().clone();
        all.or(right.leaves());
        double rows = same == null ? rows(first, second) : same.rows();
        double[] distinct = same == null ? distinct(first, second, rows) : same.distinct();
        double cost = first.cost()
                + second.cost()
                + rows
                + Math.max(first.rows(), second.rows())
                + BUILD_COST * Math.min(first.rows(), second.rows());
        return new JoinTree(-1, first, second, all, rows, distinct, cost);
    }

    private double rows(JoinTree left, JoinTree right) {
        List<double[]> keys = new ArrayList<>();
        for (int i = 0; i < conditions.classes().size(); i++) {
            if (has(conditions.classes().get(i), left)
                    && has(conditions.classes().get(i), right)) {
                keys.add(new double[] {left.distinct()[i], right.distinct()[i]});
            }
        }
        double part = 1;
        for (JoinConditions.Condition condition : conditions.others()) {
            if (becomesTrue(condition, left, right)) {
                if (condition.isEquality()) {
                    keys.add(keys(condition.node(), left));
                } else {
                    part *= PAIRED;
                }
            }
        }
        if (isOptional(right)) {
            Objects.requireNonNull(graph.leaves().get(right.leaf()).on(), "an optional leaf has a condition").stream()
                    .filter(condition -> condition.getKind() == SqlKind.EQUALS)
                    .forEach(condition -> keys.add(keys(condition, left)));
        }
        double pairs = RowEstimates.pairs(
                        left.rows(),
                        right.rows(),
                        keys.stream().mapToDouble(key -> key[0]).toArray(),
                        keys.stream().mapToDouble(key -> key[1]).toArray())
                * part;
        return Math.max(1, isOptional(right) ? Math.max(left.rows() * part, pairs) : pairs);
    }

    /// The numbers of distinct values of both sides of an equality, the left tree's first; each at most the number of
    /// rows.
    private double[] keys(RexNode equality, JoinTree left) {
        List<RexNode> operands = ((RexCall) equality).getOperands();
        double first = distinct(operands.getFirst());
        double last = distinct(operands.getLast());
        boolean inOrder = isInside(graph.leavesOf(operands.getFirst()), left.leaves());
        return inOrder ? new double[] {first, last} : new double[] {last, first};
    }

    /// NaN if it is not a column.
    private double distinct(RexNode node) {
        RexInputRef column = FilterSelectivity.column(node);
        return column == null ? Double.NaN : distinct(column.getIndex());
    }

    private double distinct(int column) {
        int leaf = graph.leafOf(column);
        return estimates
                .get(leaf)
                .column(column - graph.leaves().get(leaf).first())
                .distinct();
    }

    private double[] distinct(JoinTree left, JoinTree right, double rows) {
        double[] distinct = new double[conditions.classes().size()];
        for (int i = 0; i < distinct.length; i++) {
            double one = some(left.distinct()[i], left.rows(), rows);
            double other = some(right.distinct()[i], right.rows(), rows);
            distinct[i] = Double.isNaN(one) ? other : Double.isNaN(other) ? one : Math.min(one, other);
        }
        return distinct;
    }

    private static double some(double distinct, double before, double after) {
        return ColumnEstimate.UNKNOWN
                .withDistinct(distinct)
                .ofSome(before, after)
                .distinct();
    }
}
