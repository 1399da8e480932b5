package dev.millrace.internal.stats;

import dev.millrace.stats.Distribution;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.OperatorStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The figures of a run as a whole, for [RunHintRules].
///
/// @param streams no operator has to collect its input before it emits
/// @param idleCpus CPUs of the session that were unused, on average; 0 if that is not known
/// @param spilledBytes blocks that were written to disk during the run; 0 if other runs may have caused it
/// @param residentBytes the most memory that the process and those that it started took; 0 if that is not known
/// @param gpuStats of those that its actors had; empty if that is not known
public record RunFigures(
        List<Operator> operators,
        long elapsedNanos,
        boolean streams,
        double idleCpus,
        long spilledBytes,
        long residentBytes,
        List<GpuStats> gpuStats) {
    public RunFigures {
        operators = List.copyOf(operators);
        gpuStats = List.copyOf(gpuStats);
    }

    /// The share of the time in which its GPUs computed; NaN if that is not known, or was not watched for long enough.
    double gpuBusy(long leastNanos) {
        long watched = gpuStats.stream().mapToLong(GpuStats::watchedNanos).sum();
        double busy = gpuStats.stream().mapToLong(GpuStats::busyNanos).sum();
        return watched < leastNanos ? Double.NaN : busy / watched;
    }

    /// What an operator does with its input.
    public enum Kind {
        READ,
        MAP,
        /// Works on a part of an exchange: the rows of some keys.
        REDUCE,
        OTHER
    }

    /// One operator.
    ///
    /// @param feeds the position of the operator that takes its blocks; -1: the consumer
    /// @param limited a limit is before it, after the operators that feed it
    /// @param pool null for tasks
    /// @param gpus,memory of one task or actor, as declared
    /// @param maxTasks how many may run at once; [Integer#MAX_VALUE] without a limit, and for pools
    /// @param rowsPerTask input rows of the tasks that have finished
    /// @param slowest of these; null if none took long
    public record Operator(
            OperatorStats stats,
            Kind kind,
            int feeds,
            boolean limited,
            @Nullable PoolUse pool,
            double gpus,
            long memory,
            int maxTasks,
            Distribution rowsPerTask,
            @Nullable SlowTask slowest) {}

    /// A task that took long.
    ///
    /// @param input what it worked on
    public record SlowTask(long nanos, long rows, String input) {}
}
