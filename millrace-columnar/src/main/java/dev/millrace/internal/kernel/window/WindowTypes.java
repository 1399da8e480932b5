package dev.millrace.internal.kernel.window;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.AggregateTypes;
import dev.millrace.internal.kernel.sort.SortKeys;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The input and output columns of window functions.
public final class WindowTypes {
    private WindowTypes() {}

    /// Checks that do not need the columns.
    ///
    /// @throws MillraceException culprit USER
    public static void check(List<WindowFunction> functions) {
        Set<String> names = new HashSet<>();
        for (WindowFunction function : functions) {
            if (!names.add(function.name())) {
                throw MillraceException.user("window: two functions make the column '" + function.name()
                        + "'. Give one another name: " + function + " ... .as(\"other\").");
            }
            if (function instanceof WindowFunction.Aggregated(Aggregate aggregate, Frame frame)
                    && !frame.isPartition()
                    && !runs(aggregate)) {
                throw MillraceException.user("window: " + aggregate + " can be computed of whole partitions,"
                        + " total(" + aggregate + "), but not over " + frame
                        + ". Frames are for count, sum, mean, min, max, first, last, any and all.");
            }
        }
    }

    /// True for aggregates that are computed over any frame.
    private static boolean runs(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT -> aggregate.column() == null;
            case SUM, MEAN, MIN, MAX, FIRST, LAST, ANY, ALL -> true;
            default -> false;
        };
    }

    /// The input's columns, then those of the functions.
    ///
    /// @throws MillraceException culprit USER, naming a missing column, one that has no order, one that a function does
    ///     not support, or a duplicate name
    public static Schema result(Schema input, Window window, List<WindowFunction> functions) {
        window.keys().forEach(key -> input.require(key, "window"));
        SortKeys.check(window.order(), input, "window");
        List<Field> fields = new ArrayList<>(input.fields());
        for (WindowFunction function : functions) {
            if (input.contains(function.name())) {
                throw MillraceException.user("window: there is a column '" + function.name() + "' already. Give "
                        + function + " another name: .as(\"other\").");
            }
            checkFrame(input, window, function);
            fields.add(new Field(function.name(), type(input, function)));
        }
        return Schema.of(fields);
    }

    /// Distances between values need a single order key of a type that has them.
    private static void checkFrame(Schema input, Window window, WindowFunction function) {
        Frame frame = switch (function) {
            case WindowFunction.Numbering _, WindowFunction.Shifted _ -> null;
            case WindowFunction.Picked picked -> picked.frame();
            case WindowFunction.Aggregated aggregated -> aggregated.frame();
        };
        if (frame == null || frame.unit() != Frame.Unit.VALUES) {
            return;
        }
        if (window.order().size() != 1) {
            throw MillraceException.user(
                    "window: " + function + " over " + frame + " needs one column to order by, not "
                            + window.order().size() + ": distances are between the values of one.");
        }
        String key = window.order().getFirst().column();
        for (Frame.Distance distance : new Frame.Distance[] {frame.least(), frame.most()}) {
            String problem = ValueFrames.problem(input.type(key), distance);
            if (problem != null) {
                throw MillraceException.user("window: a frame by distances over the order key '" + key + "', which is "
                        + input.type(key) + ", " + problem + ".");
            }
        }
    }

    private static DataType type(Schema input, WindowFunction function) {
        return switch (function) {
            case WindowFunction.Numbering numbering ->
                switch (numbering.place()) {
                    case ROW_NUMBER, RANK, DENSE_RANK, NTILE -> DataType.INT64;
                    case PERCENT_RANK, CUME_DIST -> DataType.FLOAT64;
                };
            case WindowFunction.Shifted shifted -> {
                DataType type = input.field(input.require(shifted.column(), shifted.toString()))
                        .type();
                if (shifted.otherwise() != null) {
                    fits(shifted, type);
                }
                yield type;
            }
            case WindowFunction.Picked picked ->
                input.field(input.require(picked.column(), picked.toString())).type();
            case WindowFunction.Aggregated aggregated ->
                AggregateTypes.result(input, List.of(), List.of(aggregated.aggregate()))
                        .field(0)
                        .type();
        };
    }

    /// The default value must fit the type of the column.
    private static void fits(WindowFunction.Shifted shifted, DataType type) {
        try {
            Columns.of(Allocator.collected("otherwise"), type, List.of(shifted.otherwise()));
        } catch (MillraceException e) {
            throw new MillraceException(
                    Culprit.USER, shifted + ": the value where there is no row does not fit. " + e.getMessage(), e);
        }
    }
}
