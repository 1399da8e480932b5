package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.WrittenFile;
import dev.millrace.source.ReadMeter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The counters of a task, per chunk and call; reported once, at its end. One thread, except [#progress].
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

    /// Files that were read from their beginning, and bytes of files that were read.
    public static final String FILES_READ = "filesRead";

    public static final String BYTES_READ = "bytesRead";
    /// What a task has written and handed over to be committed.
    public static final String ROWS_WRITTEN = "rowsWritten";

    public static final String FILES_WRITTEN = "filesWritten";
    public static final String BYTES_WRITTEN = "bytesWritten";

    /// Bytes of input that came from other nodes, or from files of shuffle data, as they are in memory.
    public static final String BYTES_FETCHED = "bytesFetched";

    /// Of attempts that will be made again these would count twice.
    public static final Set<String> NOT_OF_FAILED = Set.of(
            SKIPPED_ROWS,
            NULLED_ROWS,
            DEAD_LETTER_ROWS,
            ROWS_IN,
            BYTES_IN,
            FILES_READ,
            ROWS_WRITTEN,
            FILES_WRITTEN,
            BYTES_WRITTEN);

    /// How long the task waited for memory; counted by its runtime.
    public static final String MEMORY_WAIT = "memoryWaitNanos";

    /// How often tasks were preempted; counted by their operator.
    public static final String TASKS_YIELDED = "tasksYieldedMemory";

    private long rowsIn;
    private long bytesIn;
    /// Rows of all chunks that the first step is done with, of the one that it works on, and what its first function
    /// had seen before that one. These three and `rowsOut` are read by other threads while the task runs, without any
    /// order between them: what is shown may be a chunk late, and nothing is decided by it.
    private long passedRows;

    private long chunkRows;
    private long calledBefore;
    private long rowsOut;
    private boolean keepsRows;
    private long filesRead;
    private long bytesRead;
    private long rowsWritten;
    private long filesWritten;
    private long bytesWritten;
    /// How often batches were made smaller because their results were too large for the task's share of memory.
    public static final String BATCHES_SHRUNK = "batchesShrunk";

    private long udfNanos;
    private long batchesShrunk;
    private final List<FunctionMeter> functions = new ArrayList<>();
    /// Counters of functions, by name.
    private final Map<String, Long> own = new LinkedHashMap<>();

    /// In reports, before the names of functions' own counters, which attempts that failed do not add to.
    public static final String OWN = "function:";

    private static final Set<String> OF_EVERY_ATTEMPT = Set.of(UDF_NANOS, BATCHES_SHRUNK, MEMORY_WAIT, TASKS_YIELDED);

    /// Adds to a counter of a function.
    void addOwn(String name, long amount) {
        if (NOT_OF_FAILED.contains(name) || OF_EVERY_ATTEMPT.contains(name) || name.isBlank()) {
            throw MillraceException.user(
                    "A function counts '" + name + "', a name that Millrace's own counters have. Choose another one.");
        }
        own.merge(name, amount, Long::sum);
    }

    public void addInput(long rows, long bytes) {
        rowsIn += rows;
        bytesIn += bytes;
    }

    /// @param all whether as many rows come out of the chain as go in
    void keepsRows(boolean all) {
        keepsRows = all;
    }

    /// A chunk of so many rows goes into the first step.
    void enters(long rows) {
        calledBefore = calledRows();
        chunkRows = rows;
    }

    /// The first step is done with it.
    void leaves() {
        passedRows += chunkRows;
        chunkRows = 0;
    }

    /// Rows reached the end of the chain, or a file.
    public void addOutput(long rows) {
        rowsOut += rows;
    }

    /// All is written. What has no bytes of its own, such as rows of a table, is no file.
    public void addWritten(Fragment fragment) {
        rowsWritten += fragment.rows();
        for (WrittenFile file : fragment.files()) {
            filesWritten += file.bytes() > 0 ? 1 : 0;
            bytesWritten += file.bytes();
        }
    }

    /// What the task's reader has read.
    void addRead(ReadMeter meter) {
        filesRead += meter.files();
        bytesRead += meter.bytes();
    }

    /// How far the task is. Any thread: see the fields.
    TaskProgress progress() {
        long underWay = functions.isEmpty() ? 0 : Math.clamp(calledRows() - calledBefore, 0, chunkRows);
        long done = passedRows + underWay;
        return new TaskProgress(done, keepsRows ? Math.max(done, rowsOut) : rowsOut);
    }

    /// Rows that the first function was called with.
    private long calledRows() {
        return functions.isEmpty() ? 0 : functions.getFirst().rowsNow();
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
        count(context, BATCHES_SHRUNK, batchesShrunk);
        count(context, FILES_READ, filesRead);
        count(context, BYTES_READ, bytesRead);
        count(context, ROWS_WRITTEN, rowsWritten);
        count(context, FILES_WRITTEN, filesWritten);
        count(context, BYTES_WRITTEN, bytesWritten);
        own.forEach((name, amount) -> context.count(OWN + name, amount));
        functions.forEach(function -> context.used(function.use()));
    }

    private static void count(TaskContext context, String counter, long amount) {
        if (amount > 0) {
            context.count(counter, amount);
        }
    }
}
