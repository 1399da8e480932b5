package dev.millrace.internal.transform;

import dev.millrace.runtime.TaskContext;

/// What a task counts of itself; reported once, at its end. One thread.
public final class TaskCounters {
    /// Rows and bytes that came into the chain.
    public static final String ROWS_IN = "rowsIn";

    public static final String BYTES_IN = "bytesIn";
    /// Nanoseconds in the user's functions. For functions over rows that includes reading and building the rows.
    public static final String UDF_NANOS = "udfNanos";

    private long rowsIn;
    private long bytesIn;
    private long udfNanos;

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

    void report(TaskContext context) {
        context.count(ROWS_IN, rowsIn);
        context.count(BYTES_IN, bytesIn);
        context.count(UDF_NANOS, udfNanos);
    }
}
