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
public record FunctionUse(
        String function, int batchSize, long calls, long rows, long nanos, long overheadNanos, List<Cost> costs)
        implements Serializable {
    /// The batch size of functions over rows.
    public static final int ROWS = -2;

    /// The total time of calls of one kind.
    ///
    /// @param load whether it loaded something that can be kept; otherwise it prepared data
    /// @param what e.g. "OnnxModel"
    public record Cost(boolean load, String what, long times, long nanos) implements Serializable {}

    public FunctionUse {
        costs = List.copyOf(costs);
    }

    /// The sum of both.
    public FunctionUse plus(FunctionUse other) {
        List<Cost> all = new ArrayList<>(costs);
        other.costs.forEach(cost -> add(all, cost));
        return new FunctionUse(
                function,
                batchSize,
                calls + other.calls,
                rows + other.rows,
                nanos + other.nanos,
                overheadNanos + other.overheadNanos,
                all);
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
