package dev.millrace.internal.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/// Estimates the selectivity of conditions.
final class FilterSelectivity {
    private static final double EQUAL_UNKNOWN = 0.05;
    private static final double RANGE_UNKNOWN = 0.3;
    private static final double LIKE = 0.1;
    private static final double OTHER = 0.3;
    /// The minimum selectivity: no condition is trusted to be more selective.
    private static final double LEAST = 1e-9;

    private final RelationEstimate input;

    private FilterSelectivity(RelationEstimate input) {
        this.input = input;
    }

    /// The rows of `input` for which a condition holds.
    static RelationEstimate filtered(RexBuilder builder, RexNode condition, RelationEstimate input) {
        RexNode plain = RexUtil.expandSearch(builder, null, condition);
        FilterSelectivity selectivity = new FilterSelectivity(input);
        double part = 1;
        Map<Integer, ColumnEstimate> changed = new HashMap<>();
        for (RexNode conjunct : RelOptUtil.conjunctions(plain)) {
            part *= selectivity.conjunct(conjunct, changed);
        }
        for (Map.Entry<Integer, ColumnEstimate> range : changed.entrySet()) {
            part *= range.getValue() == null ? 1 : selectivity.rangePart(range.getKey(), range.getValue());
        }
        RelationEstimate some = input.some(Math.clamp(part, LEAST, 1));
        return new RelationEstimate(some.rows(), position -> {
            ColumnEstimate column = changed.get(position);
            return column == null
                    ? some.column(position)
                    : column.withDistinct(Math.min(column.distinct(), some.rows()));
        });
    }

    /// Ranges of one column are merged in `changed` and count as one: lower and upper bound belong together.
    private double conjunct(RexNode condition, Map<Integer, ColumnEstimate> changed) {
        if (condition instanceof RexCall call && call.getOperands().size() == 2) {
            RexInputRef column = column(call.getOperands().getFirst());
            double value = ConstantValue.of(call.getOperands().getLast());
            SqlKind kind = call.getKind();
            if (column == null) {
                column = column(call.getOperands().getLast());
                value = ConstantValue.of(call.getOperands().getFirst());
                kind = kind.reverse();
            }
            if (column != null && isRange(kind) && !Double.isNaN(value)) {
                ColumnEstimate before = input.column(column.getIndex());
                if (!Double.isNaN(before.max() - before.min())) {
                    boolean isLow = kind == SqlKind.GREATER_THAN || kind == SqlKind.GREATER_THAN_OR_EQUAL;
                    ColumnEstimate now = changed.getOrDefault(column.getIndex(), before);
                    changed.put(column.getIndex(), now.between(isLow ? value : Double.NaN, isLow ? Double.NaN : value));
                    return 1;
                }
            }
        }
        double part = of(condition);
        int only = onlyColumn(condition);
        if (only >= 0 && isEquality(condition)) {
            changed.put(
                    only, input.column(only).withDistinct(equalities(condition)).withNulls(0));
            return part;
        }
        return part;
    }

    private double rangePart(int position, ColumnEstimate range) {
        ColumnEstimate all = input.column(position);
        boolean isRange =
                !Double.isNaN(range.max() - range.min()) && (range.min() != all.min() || range.max() != all.max());
        if (!isRange) {
            return 1;
        }
        double width = all.max() - all.min();
        double part = range.max() < range.min() ? 0 : width <= 0 ? 1 : (range.max() - range.min()) / width;
        double atLeast = Double.isNaN(all.distinct()) ? 0 : 1 / all.distinct();
        return Math.max(part, range.max() < range.min() ? 0 : Math.min(1, atLeast)) * (1 - all.nulls());
    }

    private double of(RexNode condition) {
        if (condition.isAlwaysTrue()) {
            return 1;
        }
        if (condition.isAlwaysFalse()) {
            return 0;
        }
        if (!(condition instanceof RexCall call)) {
            return condition instanceof RexInputRef ? 0.5 : OTHER;
        }
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND -> {
                double part = 1;
                for (RexNode operand : operands) {
                    part *= of(operand);
                }
                yield part;
            }
            case OR -> {
                double part = 0;
                for (RexNode operand : operands) {
                    part += of(operand);
                }
                yield Math.min(1, part);
            }
            case NOT -> 1 - of(operands.getFirst());
            case EQUALS, IS_NOT_DISTINCT_FROM -> equal(operands.getFirst(), operands.getLast());
            case NOT_EQUALS, IS_DISTINCT_FROM -> 1 - equal(operands.getFirst(), operands.getLast());
            case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> range(call);
            case IS_NULL -> column(operands.getFirst()) == null ? LIKE : nulls(operands.getFirst());
            case IS_NOT_NULL -> column(operands.getFirst()) == null ? 1 : 1 - nulls(operands.getFirst());
            case LIKE -> LIKE;
            case IS_TRUE -> of(operands.getFirst());
            default -> OTHER;
        };
    }

    private double nulls(RexNode column) {
        return input.column(Objects.requireNonNull(column(column)).getIndex()).nulls();
    }

    private double range(RexCall call) {
        Map<Integer, ColumnEstimate> changed = new HashMap<>();
        RexInputRef column = column(call.getOperands().getFirst());
        RexInputRef other = column(call.getOperands().getLast());
        RexInputRef which = column == null ? other : column;
        if (which == null || column != null && other != null) {
            return RANGE_UNKNOWN;
        }
        ColumnEstimate all = input.column(which.getIndex());
        double value = ConstantValue.of(call.getOperands().get(column == null ? 0 : 1));
        if (Double.isNaN(value) || Double.isNaN(all.max() - all.min())) {
            return RANGE_UNKNOWN;
        }
        conjunct(call, changed);
        ColumnEstimate narrowed = changed.get(which.getIndex());
        return narrowed == null ? RANGE_UNKNOWN : rangePart(which.getIndex(), narrowed);
    }

    private double equal(RexNode left, RexNode right) {
        RexInputRef one = column(left);
        RexInputRef other = column(right);
        RexInputRef any = one == null ? other : one;
        if (any == null) {
            return EQUAL_UNKNOWN;
        }
        double values = Math.max(distinct(one), distinct(other));
        if (Double.isNaN(values)) {
            return EQUAL_UNKNOWN;
        }
        if (one == null || other == null) {
            ColumnEstimate column = input.column(any.getIndex());
            double value = ConstantValue.of(one == null ? left : right);
            return value < column.min() || value > column.max() ? LEAST : (1 - column.nulls()) / values;
        }
        return 1 / values;
    }

    /// Zero if it is not a column: then the other side's number counts.
    private double distinct(@Nullable RexInputRef column) {
        return column == null ? 0 : input.column(column.getIndex()).distinct();
    }

    private static boolean isRange(SqlKind kind) {
        return kind == SqlKind.LESS_THAN
                || kind == SqlKind.LESS_THAN_OR_EQUAL
                || kind == SqlKind.GREATER_THAN
                || kind == SqlKind.GREATER_THAN_OR_EQUAL;
    }

    /// `a = 1`, or `a = 1 or a = 2`.
    private static boolean isEquality(RexNode condition) {
        return RelOptUtil.disjunctions(condition).stream().allMatch(one -> one.getKind() == SqlKind.EQUALS);
    }

    private static int equalities(RexNode condition) {
        return RelOptUtil.disjunctions(condition).size();
    }

    /// The only column that a condition compares with constants, or -1.
    private static int onlyColumn(RexNode condition) {
        var used = RelOptUtil.InputFinder.bits(condition);
        return used.cardinality() == 1 ? used.nth(0) : -1;
    }

    /// The column inside of casts, or null.
    static @Nullable RexInputRef column(RexNode node) {
        return switch (node) {
            case RexInputRef column -> column;
            case RexCall call
            when call.getKind() == SqlKind.CAST -> column(call.getOperands().getFirst());
            default -> null;
        };
    }
}
