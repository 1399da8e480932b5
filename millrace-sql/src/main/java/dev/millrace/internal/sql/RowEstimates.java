package dev.millrace.internal.sql;

import dev.millrace.SqlTable;
import java.math.BigDecimal;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/// Estimates the number of rows of the nodes of a query: propagates the tables' statistics upwards. Estimates only
/// affect join order, not results.
final class RowEstimates {
    private static final double ROWS_UNKNOWN = 10_000;
    /// The assumed number of groups per row if nothing is known about a grouping key.
    private static final double GROUPED_UNKNOWN = 0.1;
    private static final double PAIRED = 0.3;

    private final IdentityHashMap<RelNode, RelationEstimate> known = new IdentityHashMap<>();

    RelationEstimate of(RelNode node) {
        RelationEstimate estimate = known.get(node);
        if (estimate == null) {
            estimate = estimate(node);
            known.put(node, estimate);
        }
        return estimate;
    }

    private RelationEstimate estimate(RelNode node) {
        return switch (node) {
            case TableScan scan -> scan(scan);
            case Filter filter ->
                FilterSelectivity.filtered(
                        filter.getCluster().getRexBuilder(), filter.getCondition(), of(filter.getInput()));
            case Project project -> project(project);
            case Aggregate aggregate -> aggregate(aggregate);
            case Join join -> join(join);
            case Sort sort -> sort(sort);
            case Minus minus -> of(minus.getInput(0));
            case SetOp set -> union(set);
            case Values values -> new RelationEstimate(values.getTuples().size(), _ -> ColumnEstimate.UNKNOWN);
            default -> {
                double rows = 1;
                for (RelNode input : node.getInputs()) {
                    rows = Math.max(rows, of(input).rows());
                }
                yield new RelationEstimate(rows, _ -> ColumnEstimate.UNKNOWN);
            }
        };
    }

    private static RelationEstimate scan(TableScan scan) {
        QueryCatalog.DatasetTable table = scan.getTable().unwrap(QueryCatalog.DatasetTable.class);
        SqlTable.Statistics statistics = table.table().statistics();
        double rows = statistics.rows().orElse(ROWS_UNKNOWN);
        List<String> columns = table.table().dataset().columns();
        return new RelationEstimate(
                rows, position -> ColumnEstimate.of(statistics.column(columns.get(position)), rows));
    }

    private RelationEstimate project(Project project) {
        RelationEstimate input = of(project.getInput());
        return new RelationEstimate(
                input.rows(), position -> expression(project.getProjects().get(position), input));
    }

    /// An expression has at most as many distinct values as its columns have combinations.
    static ColumnEstimate expression(RexNode value, RelationEstimate input) {
        RexInputRef column = FilterSelectivity.column(value);
        if (column != null) {
            return input.column(column.getIndex());
        }
        if (value instanceof RexLiteral) {
            return ColumnEstimate.CONSTANT;
        }
        double distinct = combinations(
                org.apache.calcite.plan.RelOptUtil.InputFinder.bits(value), input.rows(), input::column, Double.NaN);
        return ColumnEstimate.UNKNOWN.withDistinct(distinct);
    }

    /// @param unknown the number of distinct values assumed for a column without statistics
    private static double combinations(
            ImmutableBitSet columns, double rows, IntFunction<ColumnEstimate> estimates, double unknown) {
        double all = 1;
        for (int column : columns) {
            double distinct = estimates.apply(column).distinct();
            all *= Double.isNaN(distinct) ? unknown : distinct;
        }
        return Double.isNaN(all) ? all : Math.min(rows, all);
    }

    private RelationEstimate aggregate(Aggregate aggregate) {
        RelationEstimate input = of(aggregate.getInput());
        double rows = 0;
        for (ImmutableBitSet keys : aggregate.getGroupSets()) {
            rows += combinations(keys, input.rows(), input::column, Math.max(1, input.rows() * GROUPED_UNKNOWN));
        }
        double groups = rows;
        List<Integer> keys = aggregate.getGroupSet().asList();
        return new RelationEstimate(
                groups,
                position -> position < keys.size()
                        ? input.column(keys.get(position)).ofSome(input.rows(), Math.min(groups, input.rows()))
                        : ColumnEstimate.UNKNOWN);
    }

    private RelationEstimate join(Join join) {
        RelationEstimate left = of(join.getLeft());
        RelationEstimate right = of(join.getRight());
        JoinInfo info = join.analyzeCondition();
        double[] leftKeys = new double[info.leftKeys.size()];
        double[] rightKeys = new double[info.rightKeys.size()];
        for (int i = 0; i < leftKeys.length; i++) {
            leftKeys[i] = left.column(info.leftKeys.get(i)).distinct();
            rightKeys[i] = right.column(info.rightKeys.get(i)).distinct();
        }
        double pairs =
                pairs(left.rows(), right.rows(), leftKeys, rightKeys) * Math.pow(PAIRED, info.nonEquiConditions.size());
        double rows = switch (join.getJoinType()) {
            case LEFT -> Math.max(pairs, left.rows());
            case RIGHT -> Math.max(pairs, right.rows());
            case FULL -> Math.max(pairs, left.rows() + right.rows());
            case SEMI -> Math.min(pairs, left.rows());
            case ANTI -> left.rows() * (1 - PAIRED);
            default -> pairs;
        };
        int fields = join.getLeft().getRowType().getFieldCount();
        return new RelationEstimate(
                rows,
                position -> position < fields
                        ? left.column(position).ofSome(left.rows(), rows)
                        : right.column(position - fields).ofSome(right.rows(), rows));
    }

    /// The rows of an inner join. All key combinations of the side with fewer are assumed to occur on the other side;
    /// no side has more combinations than rows.
    static double pairs(double left, double right, double[] leftKeys, double[] rightKeys) {
        if (leftKeys.length == 0) {
            return left * right;
        }
        double few = Math.min(left, right);
        double leftAll = 1;
        double rightAll = 1;
        for (int i = 0; i < leftKeys.length; i++) {
            double one = Double.isNaN(leftKeys[i]) ? rightKeys[i] : leftKeys[i];
            double other = Double.isNaN(rightKeys[i]) ? leftKeys[i] : rightKeys[i];
            leftAll *= Double.isNaN(one) ? few : one;
            rightAll *= Double.isNaN(other) ? few : other;
        }
        return left * right / Math.max(Math.min(leftAll, left), Math.min(rightAll, right));
    }

    private RelationEstimate sort(Sort sort) {
        RelationEstimate input = of(sort.getInput());
        return sort.fetch instanceof RexLiteral literal && literal.getValue() instanceof BigDecimal most
                ? input.some(Math.min(1, most.doubleValue() / input.rows()))
                : input;
    }

    private RelationEstimate union(SetOp set) {
        double rows = 0;
        for (RelNode input : set.getInputs()) {
            rows += of(input).rows();
        }
        return new RelationEstimate(rows, position -> {
            double distinct = 0;
            for (RelNode input : set.getInputs()) {
                distinct = Math.max(distinct, of(input).column(position).distinct());
            }
            return ColumnEstimate.UNKNOWN.withDistinct(distinct);
        });
    }
}
