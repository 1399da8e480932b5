package dev.millrace.internal.transform;

import dev.millrace.internal.cost.CallCosts;
import dev.millrace.runtime.FunctionUse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Measures the calls of one function in one task. During a call the meter is registered for its thread, so that code
/// inside it can report its costs. One thread.
final class FunctionMeter implements CallCosts.Meter {
    private final String function;
    private final int batchSize;
    private final TaskCounters counters;
    private long calls;
    private long rows;
    private long nanos;
    private long overheadNanos;
    /// Rows of the call under way that are done.
    private LongSupplier underWay = () -> 0;
    private List<FunctionUse.Cost> costs = List.of();
    /// When the call under way began. Written by the thread of the task, read by that of the looks, which may see it
    /// late.
    private volatile long began;

    /// Guarded by the monitor: written by the thread of the looks.
    private long looks;

    private final List<FunctionUse.Built> built = new ArrayList<>(0);
    private long lastBuiltIn;

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

    @Override
    public void count(String name, long amount) {
        counters.addOwn(name, amount);
    }

    /// A call begins, or one for each of some rows; returns the time, for [#end].
    long begin() {
        CallCosts.enter(this);
        long now = System.nanoTime();
        began = now;
        CallSampler.SHARED.enter(this);
        return now;
    }

    /// The call has ended; it was given this many rows.
    void end(long began, long rowsGiven) {
        long took = System.nanoTime() - began;
        CallSampler.SHARED.leave();
        CallCosts.leave();
        calls += batchSize == FunctionUse.ROWS ? rowsGiven : 1;
        rows += rowsGiven;
        nanos += took;
        counters.addUdfNanos(took);
    }

    /// The function waits for others, in the middle of a call; [#begin] resumes.
    void suspend(long began) {
        long took = System.nanoTime() - began;
        CallSampler.SHARED.leave();
        CallCosts.leave();
        nanos += took;
        counters.addUdfNanos(took);
    }

    long nanos() {
        return nanos;
    }

    /// When the call under way began; any thread.
    long began() {
        return began;
    }

    /// Somebody looked into the call that began then.
    ///
    /// @param type the class that it was building; null if none
    synchronized void looked(@Nullable String type, long callBegan) {
        looks++;
        if (type != null) {
            FunctionUse.add(built, new FunctionUse.Built(type, 1, callBegan == lastBuiltIn ? 0 : 1));
            lastBuiltIn = callBegan;
        }
    }

    /// @param rowsDone of the call that is under way; asked by any thread
    void watch(LongSupplier rowsDone) {
        underWay = rowsDone;
    }

    /// Rows of all calls, also of the one under way as far as that is known. Any thread; perhaps a moment late.
    long rowsNow() {
        return rows + underWay.getAsLong();
    }

    /// Our own time for a call, beside the function's.
    void addOverhead(long spent) {
        overheadNanos += spent;
    }

    synchronized FunctionUse use() {
        return new FunctionUse(function, batchSize, calls, rows, nanos, overheadNanos, costs, looks, built);
    }
}
