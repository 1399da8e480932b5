package dev.millrace.internal.transform;

import dev.millrace.internal.cost.CallCosts;
import dev.millrace.runtime.FunctionUse;
import java.util.ArrayList;
import java.util.List;

/// Counts the calls of one function in one task. While a call lasts, the meter is known to its thread, so that whatever
/// runs inside it can tell what it cost. One thread.
public final class FunctionMeter implements CallCosts.Meter {
    private final String function;
    private final int batchSize;
    private final TaskCounters counters;
    private long calls;
    private long rows;
    private long nanos;
    private long overheadNanos;
    private List<FunctionUse.Cost> costs = List.of();

    FunctionMeter(String function, int batchSize, TaskCounters counters) {
        this.function = function;
        this.batchSize = batchSize;
        this.counters = counters;
    }

    @Override
    public void note(boolean load, String what, long spent) {
        if (costs.isEmpty()) {
            costs = new ArrayList<>();
        }
        FunctionUse.add(costs, new FunctionUse.Cost(load, what, 1, spent));
    }

    /// A call begins, or one for each of some rows; answers when, for [#end].
    long begin() {
        CallCosts.enter(this);
        return System.nanoTime();
    }

    /// It is over, and was given so many rows.
    void end(long began, long rowsGiven) {
        long took = System.nanoTime() - began;
        CallCosts.leave();
        calls += batchSize == FunctionUse.ROWS ? rowsGiven : 1;
        rows += rowsGiven;
        nanos += took;
        counters.addUdfNanos(took);
    }

    long nanos() {
        return nanos;
    }

    /// Time of ours for a call, beside the function's.
    void addOverhead(long spent) {
        overheadNanos += spent;
    }

    FunctionUse use() {
        return new FunctionUse(function, batchSize, calls, rows, nanos, overheadNanos, costs);
    }
}
