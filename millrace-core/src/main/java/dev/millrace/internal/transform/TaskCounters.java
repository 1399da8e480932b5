package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import dev.millrace.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The counters of a task; reported once, at its end. One thread.
public final class TaskCounters {
    /// Rows and bytes that entered the chain.
    public static final String ROWS_IN = "rowsIn";

    public static final String BYTES_IN = "bytesIn";
    /// Nanoseconds in the user's functions. For functions over rows that includes reading and building the rows.
    public static final String UDF_NANOS = "udfNanos";

    /// Rows whose error a policy tolerated.
    public static final String SKIPPED_ROWS = "skippedRows";

    public static final String NULLED_ROWS = "nulledRows";
    public static final String DEAD_LETTER_ROWS = "deadLetterRows";

    /// Reported only by finished tasks, and valid only for those.
    public static final Set<String> ERRORS = Set.of(SKIPPED_ROWS, NULLED_ROWS, DEAD_LETTER_ROWS);

    private long rowsIn;
    private long bytesIn;
    /// How often batches were made smaller because their results were too large for the task's share of memory.
    public static final String BATCHES_SHRUNK = "batchesShrunk";

    private long udfNanos;
    private long batchesShrunk;
    private final List<FunctionMeter> functions = new ArrayList<>();

    public void addInput(long rows, long bytes) {
        rowsIn += rows;
        bytesIn += bytes;
    }

    public void addUdfNanos(long nanos) {
        udfNanos += nanos;
    }

    public long udfNanos() {
        return udfNanos;
    }

    /// For the calls of one function.
    ///
    /// @param batchSize as in [dev.millrace.runtime.FunctionUse]
    FunctionMeter meter(String function, int batchSize) {
        FunctionMeter meter = new FunctionMeter(function, batchSize, this);
        functions.add(meter);
        return meter;
    }

    void addShrunk() {
        batchesShrunk++;
    }

    static String of(ErrorPolicy.Action action) {
        return switch (action) {
            case SKIP, FAIL -> SKIPPED_ROWS;
            case NULLS -> NULLED_ROWS;
            case DEAD_LETTER -> DEAD_LETTER_ROWS;
        };
    }

    void report(TaskContext context) {
        context.count(ROWS_IN, rowsIn);
        context.count(BYTES_IN, bytesIn);
        context.count(UDF_NANOS, udfNanos);
        if (batchesShrunk > 0) {
            context.count(BATCHES_SHRUNK, batchesShrunk);
        }
        functions.forEach(function -> context.used(function.use()));
    }
}
