package dev.millrace.runtime;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// Figures of the calls of one function in one task, or in several.
///
/// @param function e.g. "mapBatches(Main:42)"
/// @param batchSize rows per call as requested, one of `Compute`'s other batch sizes, or [#ROWS]
/// @param nanos in the function
/// @param overheadNanos around it: cutting batches and taking their results
/// @param costs what libraries reported about their work inside the function
/// @param looks how often its running calls were looked into, now and then
/// @param built the classes whose constructors they were in
public record FunctionUse(
        String function,
        int batchSize,
        long calls,
        long rows,
        long nanos,
        long overheadNanos,
        List<Cost> costs,
        long looks,
        List<Built> built)
        implements Serializable {
    /// The batch size of functions over rows.
    public static final int ROWS = -2;

    /// The total time of calls of one kind.
    ///
    /// @param load whether it loaded something that can be kept; otherwise it prepared data
    /// @param what e.g. "OnnxModel"
    public record Cost(boolean load, String what, long times, long nanos) implements Serializable {}

    /// A class that calls were seen to build.
    ///
    /// @param type its simple name
    /// @param looks that saw it
    /// @param calls different ones among them
    public record Built(String type, long looks, long calls) implements Serializable {}

    public FunctionUse {
        costs = List.copyOf(costs);
        built = List.copyOf(built);
    }

    /// Without looks.
    public FunctionUse(
            String function, int batchSize, long calls, long rows, long nanos, long overheadNanos, List<Cost> costs) {
        this(function, batchSize, calls, rows, nanos, overheadNanos, costs, 0, List.of());
    }

    /// The sum of both.
    public FunctionUse plus(FunctionUse other) {
        List<Cost> all = new ArrayList<>(costs);
        other.costs.forEach(cost -> add(all, cost));
        List<Built> allBuilt = new ArrayList<>(built);
        other.built.forEach(each -> add(allBuilt, each));
        return new FunctionUse(
                function,
                batchSize,
                calls + other.calls,
                rows + other.rows,
                nanos + other.nanos,
                overheadNanos + other.overheadNanos,
                all,
                looks + other.looks,
                allBuilt);
    }

    /// Adds to the looks at the same class, or appends a new one.
    public static void add(List<Built> built, Built more) {
        for (int i = 0; i < built.size(); i++) {
            Built each = built.get(i);
            if (each.type().equals(more.type())) {
                built.set(i, new Built(each.type(), each.looks() + more.looks(), each.calls() + more.calls()));
                return;
            }
        }
        built.add(more);
    }

    /// Adds to the cost of the same kind and name, or appends a new one.
    public static void add(List<Cost> costs, Cost more) {
        for (int i = 0; i < costs.size(); i++) {
            Cost cost = costs.get(i);
            if (cost.load() == more.load() && cost.what().equals(more.what())) {
                costs.set(
                        i,
                        new Cost(cost.load(), cost.what(), cost.times() + more.times(), cost.nanos() + more.nanos()));
                return;
            }
        }
        costs.add(more);
    }
}
