package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.Dataset;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.relation.SortKey;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/// Translates the window functions of one projection: their arguments become columns, functions over the same window
/// are computed together, and the projection refers to each function's column.
final class WindowTranslator {
    private final TranslatedRelation input;
    private final RexTranslator translator;
    private final List<String> taken;
    private final List<Expression> computed = new ArrayList<>();
    private final Map<Window, List<WindowFunction>> windows = new LinkedHashMap<>();
    private final Map<RexOver, Expression> results = new LinkedHashMap<>();

    WindowTranslator(TranslatedRelation input, RexTranslator translator) {
        this.input = input;
        this.translator = translator;
        this.taken = new ArrayList<>(input.columns());
    }

    /// Collects the functions of these expressions.
    void add(List<? extends RexNode> nodes) {
        RexVisitorImpl<Void> finder = new RexVisitorImpl<>(true) {
            @Override
            public Void visitOver(RexOver over) {
                if (!results.containsKey(over)) {
                    results.put(over, result(over));
                }
                return null;
            }
        };
        nodes.forEach(node -> node.accept(finder));
    }

    /// The input with a column for each function.
    Dataset computed() {
        Dataset dataset =
                computed.isEmpty() ? input.dataset() : input.dataset().withColumns(computed.toArray(Expression[]::new));
        for (Map.Entry<Window, List<WindowFunction>> window : windows.entrySet()) {
            dataset = dataset.window(window.getKey(), window.getValue().toArray(WindowFunction[]::new));
        }
        return dataset;
    }

    /// The value of each function in a row of [#computed].
    Map<RexOver, Expression> results() {
        return results;
    }

    private Expression result(RexOver over) {
        String name = over.getAggOperator().getName();
        Window window = window(over.getWindow());
        if (over.isDistinct()) {
            return distinct(window, over, name);
        }
        return switch (name) {
            case "ROW_NUMBER" -> add(window, WindowFunctions.rowNumber());
            case "RANK" -> add(window, WindowFunctions.rank());
            case "DENSE_RANK" -> add(window, WindowFunctions.denseRank());
            case "PERCENT_RANK" -> add(window, WindowFunctions.percentRank());
            case "CUME_DIST" -> add(window, WindowFunctions.cumeDist());
            case "NTILE" -> add(window, WindowFunctions.ntile(whole(over, 0)));
            case "LAG" -> shifted(window, over, 1);
            case "LEAD" -> shifted(window, over, -1);
            case "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE" -> picked(window, over, name);
            default -> aggregated(window, over, name);
        };
    }

    private Expression distinct(Window window, RexOver over, String name) {
        Frame frame = frame(over.getWindow());
        String column = column(translator.one(over.getOperands().getFirst()));
        if (name.equals("MIN") || name.equals("MAX")) {
            return add(window, frame, name.equals("MIN") ? Aggregates.min(column) : Aggregates.max(column));
        }
        if (name.equals("COUNT") && frame.isPartition()) {
            return coalesce(add(window, frame, Aggregates.countDistinct(column)), lit(0L));
        }
        throw RexTranslator.unsupported(
                name + "(DISTINCT ...) over a window" + (frame.isPartition() ? "" : " that is not the partition"),
                "COUNT(DISTINCT ...) over whole partitions is; or group in a subquery and join.");
    }

    private Expression aggregated(Window window, RexOver over, String name) {
        Frame frame = frame(over.getWindow());
        if (name.equals("COUNT") && over.getOperands().isEmpty()) {
            return coalesce(add(window, frame, Aggregates.count()), lit(0L));
        }
        Expression value = translator.one(over.getOperands().getFirst());
        return switch (name) {
            case "COUNT" -> {
                String one = column(when(value.isNotNull()).then(1L).otherwise(0L));
                yield coalesce(add(window, frame, Aggregates.sum(one)), lit(0L));
            }
            case "SUM" -> add(window, frame, Aggregates.sum(column(value)));
            case "$SUM0" -> coalesce(add(window, frame, Aggregates.sum(column(value))), lit(0));
            case "AVG" -> add(window, frame, Aggregates.mean(column(value)));
            case "MIN" -> add(window, frame, Aggregates.min(column(value)));
            case "MAX" -> add(window, frame, Aggregates.max(column(value)));
            default -> throw RexTranslator.unsupported("The window function " + name);
        };
    }

    private Expression shifted(Window window, RexOver over, int direction) {
        String column = column(translator.one(over.getOperands().getFirst()));
        long rows = over.getOperands().size() > 1 ? whole(over, 1) : 1;
        Serializable otherwise = null;
        if (over.getOperands().size() > 2) {
            Expression value = translator.one(over.getOperands().get(2));
            if (!(value instanceof Literal literal)) {
                throw RexTranslator.unsupported("LAG or LEAD with a default that is no constant");
            }
            otherwise = (Serializable) literal.value();
        }
        return add(window, WindowFunctions.lag(column, direction * rows, otherwise));
    }

    private Expression picked(Window window, RexOver over, String name) {
        String column = column(translator.one(over.getOperands().getFirst()));
        WindowFunction.Picked picked = switch (name) {
            case "FIRST_VALUE" -> WindowFunctions.firstValue(column);
            case "LAST_VALUE" -> WindowFunctions.lastValue(column);
            default -> WindowFunctions.nthValue(column, whole(over, 1));
        };
        WindowFunction.Picked framed = picked.over(frame(over.getWindow()));
        return add(window, over.ignoreNulls() ? framed.ignoreNulls() : framed);
    }

    private long whole(RexOver over, int operand) {
        return RexTranslator.whole(
                over.getAggOperator().getName(),
                translator.one(over.getOperands().get(operand)));
    }

    private Expression add(Window window, Frame frame, Aggregate aggregate) {
        return add(window, WindowFunctions.over(aggregate, frame));
    }

    private Expression add(Window window, WindowFunction function) {
        String name = fresh("$over");
        windows.computeIfAbsent(window, _ -> new ArrayList<>()).add(function.as(name));
        return col(name);
    }

    private Window window(RexWindow window) {
        Set<String> keys = new LinkedHashSet<>();
        for (RexNode key : window.partitionKeys) {
            keys.add(column(translator.one(key)));
        }
        // A repeated sort column has no effect.
        Map<String, SortKey> order = new LinkedHashMap<>();
        for (RexFieldCollation key : window.orderKeys) {
            Expression value = translator.one(key.left);
            SortKey by = new SortKey(column(value), key.getDirection().isDescending());
            if (order.containsKey(by.column())) {
                continue;
            }
            if (key.getNullDirection() == RelFieldCollation.NullDirection.FIRST) {
                String isThere = column(value.isNotNull());
                order.putIfAbsent(isThere, SortKey.ascending(isThere));
            }
            order.put(by.column(), by);
        }
        return new Window(List.copyOf(keys), List.copyOf(order.values()));
    }

    private Frame frame(RexWindow window) {
        if (window.getExclude() != RexWindowExclusion.EXCLUDE_NO_OTHER) {
            throw RexTranslator.unsupported(
                    "EXCLUDE in a window", "Compute with all rows and take away what the row itself adds.");
        }
        if (!window.isRows() && (isDistance(window.getLowerBound()) || isDistance(window.getUpperBound()))) {
            return ofValues(window);
        }
        long from = bound(window.getLowerBound());
        long to = bound(window.getUpperBound());
        boolean whole = from == Frame.UNBOUNDED_PRECEDING && to == Frame.UNBOUNDED_FOLLOWING;
        return new Frame(window.isRows() || whole ? Frame.Unit.ROWS : Frame.Unit.RANGE, from, to);
    }

    private static boolean isDistance(RexWindowBound bound) {
        return !bound.isUnbounded() && !bound.isCurrentRow();
    }

    private static Frame ofValues(RexWindow window) {
        RexFieldCollation key = window.orderKeys.getFirst();
        if (window.orderKeys.size() != 1 || key.getNullDirection() == RelFieldCollation.NullDirection.FIRST) {
            throw RexTranslator.unsupported(
                    "RANGE with a distance over several columns or with NULLS FIRST",
                    "Order by one column, nulls last.");
        }
        boolean time = SqlTypeName.DATETIME_TYPES.contains(key.left.getType().getSqlTypeName());
        return Frame.values(distance(window.getLowerBound(), time), distance(window.getUpperBound(), time));
    }

    private static Frame.@Nullable Distance distance(RexWindowBound bound, boolean time) {
        if (bound.isUnbounded()) {
            return null;
        }
        if (bound.isCurrentRow()) {
            return time ? new Frame.Distance.OfTime(Duration.ZERO) : new Frame.Distance.OfNumber(BigDecimal.ZERO);
        }
        if (!(bound.getOffset() instanceof RexLiteral literal)) {
            throw RexTranslator.unsupported("RANGE with a distance that is no constant", "Write the number itself.");
        }
        BigDecimal amount = literal.getValueAs(BigDecimal.class);
        BigDecimal signed = bound.isPreceding() ? amount.negate() : amount;
        SqlTypeName type = literal.getType().getSqlTypeName();
        if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(type)) {
            return new Frame.Distance.OfMonths(signed.longValueExact());
        }
        return SqlTypeName.DAY_INTERVAL_TYPES.contains(type)
                ? new Frame.Distance.OfTime(Duration.ofMillis(signed.longValueExact()))
                : new Frame.Distance.OfNumber(signed);
    }

    private long bound(RexWindowBound bound) {
        if (bound.isUnbounded()) {
            return bound.isPreceding() ? Frame.UNBOUNDED_PRECEDING : Frame.UNBOUNDED_FOLLOWING;
        }
        if (bound.isCurrentRow()) {
            return 0;
        }
        long rows = RexTranslator.whole("A window's frame", translator.one(bound.getOffset()));
        return bound.isPreceding() ? -rows : rows;
    }

    /// The name of a column with this value.
    private String column(Expression value) {
        if (value instanceof ColumnReference reference) {
            return reference.name();
        }
        for (Expression there : computed) {
            if (there.withoutAlias().equals(value)) {
                return there.outputName();
            }
        }
        String name = fresh("$value");
        computed.add(value.as(name));
        return name;
    }

    private String fresh(String name) {
        String free = TranslatedRelation.free(name, taken);
        taken.add(free);
        return free;
    }
}
