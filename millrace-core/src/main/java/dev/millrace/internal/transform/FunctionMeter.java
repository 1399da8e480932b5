package dev.millrace.internal.transform;

import dev.millrace.runtime.FunctionUse;
import java.util.ArrayList;
import java.util.List;

/// Counts the calls of one function in one task. While a call lasts, the meter is known to its thread, so that whatever
/// runs inside it can tell what it cost. One thread.
public final class FunctionMeter {
    /// The meter of the call that this thread is in; null outside of calls.
    private static final ThreadLocal<FunctionMeter> CURRENT = new ThreadLocal<>();

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

    public static void noteLoad(String what, long nanos) {
        note(true, what, nanos);
    }

    public static void notePreparation(String what, long nanos) {
        note(false, what, nanos);
    }

    private static void note(boolean load, String what, long nanos) {
        FunctionMeter meter = CURRENT.get();
        if (meter != null) {
            if (meter.costs.isEmpty()) {
                meter.costs = new ArrayList<>();
            }
            FunctionUse.add(meter.costs, new FunctionUse.Cost(load, what, 1, nanos));
        }
    }

    /// A call begins, or one for each of some rows; answers when, for [#end].
    long begin() {
        CURRENT.set(this);
        return System.nanoTime();
    }

    /// It is over, and was given so many rows.
    void end(long began, long rowsGiven) {
        long took = System.nanoTime() - began;
        CURRENT.set(null);
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
