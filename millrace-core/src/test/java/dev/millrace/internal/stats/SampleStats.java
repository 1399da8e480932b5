package dev.millrace.internal.stats;

import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Made-up numbers of runs, for tests of what is shown of them.
public final class SampleStats {
    public static final long MILLI = 1_000_000;
    public static final long SECOND = 1_000 * MILLI;
    private static final long MIB = 1L << 20;

    private SampleStats() {}

    public static RunStats run(RunStats.State state, long elapsed, OperatorStats... operators) {
        OperatorStats last = operators[operators.length - 1];
        return new RunStats(
                "trips", state, elapsed, List.of(operators), last.outputRows(), last.outputBytes(), 0, 128 * MIB);
    }

    /// The same run with hints.
    public static RunStats with(RunStats run, Hint... hints) {
        return new RunStats(
                run.name(),
                run.state(),
                run.elapsedNanos(),
                run.operators(),
                run.outputRows(),
                run.outputBytes(),
                run.memoryBytes(),
                run.peakMemoryBytes(),
                List.of(hints));
    }

    /// A finished read of four tasks, each of 250 rows.
    public static OperatorStats finishedRead() {
        return new OperatorStats(
                "range -> map(fare)",
                "",
                0,
                4,
                0,
                0,
                OptionalLong.of(4),
                OptionalLong.of(1000),
                OptionalDouble.of(1),
                2000,
                16_000,
                Optional.of(FileStats.NONE),
                Optional.empty(),
                4,
                1000,
                8000,
                new Distribution(4, 1_770_000, 2_170_000, 7_710_000),
                new Distribution(4, 1_860_000, 2_200_000, 8_030_000),
                new Distribution(4, 250, 250, 1000),
                new Distribution(4, 2000, 2000, 8000),
                Distribution.NONE,
                Map.of(),
                null,
                null,
                0,
                0,
                16_384,
                0,
                true,
                Map.of("udfNanos", 3_190_000L, "rowsIn", 2000L, "bytesIn", 16_000L));
    }

    /// A model in two actors, 45 of 100 tasks done, held at this moment.
    public static OperatorStats heldModel() {
        return new OperatorStats(
                "mapBatches(model)",
                "Trips:12",
                2,
                45,
                1,
                0,
                OptionalLong.of(100),
                OptionalLong.empty(),
                OptionalDouble.of(0.45),
                12_600_000,
                100 * MIB,
                Optional.empty(),
                Optional.empty(),
                45,
                12_345_678,
                200 * MIB,
                new Distribution(45, 90 * MILLI, 140 * MILLI, 5 * SECOND),
                new Distribution(45, 80 * MILLI, 130 * MILLI, 4 * SECOND),
                new Distribution(45, 200_000, 300_000, 12_345_678),
                new Distribution(45, 4 * MIB, 5 * MIB, 200 * MIB),
                new Distribution(47, 0, 30 * MILLI, 470 * MILLI),
                Map.of("ResourceBudget", 300 * MILLI, "DownstreamCapacity", 4 * SECOND, "ConcurrencyCap", 0L),
                "DownstreamCapacity",
                "40 MiB wait for the writer, at most 20 MiB",
                3,
                40 * MIB,
                256 * MIB,
                2,
                false,
                Map.of("udfNanos", 4_500 * MILLI, "retries", 1L, "rowsIn", 12_600_000L, "bytesIn", 100 * MIB));
    }

    /// As `from`, but with other output rows, of which so many are expected.
    public static OperatorStats progress(OperatorStats from, String name, long rows, OptionalLong totalRows) {
        return new OperatorStats(
                name,
                "",
                from.tasksRunning(),
                from.tasksFinished(),
                from.tasksFailed(),
                from.tasksStopped(),
                from.totalTasks(),
                totalRows,
                totalRows.isEmpty() ? from.done() : OptionalDouble.of((double) rows / totalRows.getAsLong()),
                from.inputRows(),
                from.inputBytes(),
                from.read(),
                from.written(),
                from.outputBlocks(),
                rows,
                from.outputBytes(),
                from.wall(),
                from.cpu(),
                from.rowsPerBlock(),
                from.bytesPerBlock(),
                from.queueWait(),
                from.heldNanos(),
                from.heldBy(),
                from.heldReason(),
                from.queuedBlocks(),
                from.queuedBytes(),
                from.peakBytes(),
                from.actors(),
                from.finished(),
                from.counters());
    }

    /// A read of two files with a write in its tasks, stopped early.
    public static OperatorStats stoppedWrite() {
        return new OperatorStats(
                "CSV(trips) -> map(Trips:7) -> write(Parquet(out))",
                "Trips:6, Trips:7, Trips:9",
                0,
                0,
                0,
                2,
                OptionalLong.of(2),
                OptionalLong.empty(),
                OptionalDouble.of(1),
                1000,
                8000,
                Optional.of(new FileStats(2, 3000)),
                Optional.of(new FileStats(1, 1024)),
                0,
                500,
                1024,
                Distribution.NONE,
                Distribution.NONE,
                Distribution.NONE,
                Distribution.NONE,
                Distribution.NONE,
                Map.of(),
                null,
                null,
                0,
                0,
                0,
                0,
                true,
                Map.of("rowsWritten", 500L, "filesWritten", 1L, "bytesWritten", 1024L, "filesRead", 2L));
    }
}
