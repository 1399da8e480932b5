package dev.millrace.stats;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A run as a whole. Operators are in the order of the data flow.
///
/// @param outputRows,outputBytes what its consumer received; for a write, what was written
/// @param hints what makes the run slow, as far as its figures show it; empty if there is nothing to report
/// @param tasksPerNode tasks that have ended, by the node that they ran on; empty if there is one node only
/// @param gpus those that actors had, of the machine that the session runs on; empty if that is not known
public record RunStats(
        String name,
        State state,
        long elapsedNanos,
        List<OperatorStats> operators,
        long outputRows,
        long outputBytes,
        long memoryBytes,
        long peakMemoryBytes,
        List<Hint> hints,
        Map<String, Long> tasksPerNode,
        List<GpuStats> gpus) {
    /// How far a run is.
    public enum State {
        RUNNING,
        FINISHED,
        FAILED,
        CANCELLED
    }

    public RunStats {
        operators = List.copyOf(operators);
        hints = List.copyOf(hints);
        tasksPerNode = Map.copyOf(tasksPerNode);
        gpus = List.copyOf(gpus);
    }

    /// Rows that were read from sources.
    public long rowsRead() {
        return operators.stream()
                .filter(operator -> operator.read().isPresent())
                .mapToLong(OperatorStats::inputRows)
                .sum();
    }

    /// The files that were read.
    public FileStats read() {
        return operators.stream().flatMap(operator -> operator.read().stream()).reduce(FileStats.NONE, FileStats::plus);
    }

    /// The files that a write has written; empty for a run that writes nothing.
    public Optional<FileStats> written() {
        return operators.stream()
                .flatMap(operator -> operator.written().stream())
                .reduce(FileStats::plus);
    }

    /// On one node, without GPUs.
    public RunStats(
            String name,
            State state,
            long elapsedNanos,
            List<OperatorStats> operators,
            long outputRows,
            long outputBytes,
            long memoryBytes,
            long peakMemoryBytes,
            List<Hint> hints) {
        this(
                name,
                state,
                elapsedNanos,
                operators,
                outputRows,
                outputBytes,
                memoryBytes,
                peakMemoryBytes,
                hints,
                Map.of(),
                List.of());
    }

    /// Without hints.
    public RunStats(
            String name,
            State state,
            long elapsedNanos,
            List<OperatorStats> operators,
            long outputRows,
            long outputBytes,
            long memoryBytes,
            long peakMemoryBytes) {
        this(name, state, elapsedNanos, operators, outputRows, outputBytes, memoryBytes, peakMemoryBytes, List.of());
    }
}
