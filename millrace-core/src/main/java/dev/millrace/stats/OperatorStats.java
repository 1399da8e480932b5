package dev.millrace.stats;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One operator of a run, now or at its end. Rows count as they are produced, including those of running tasks as far
/// as they were reported.
///
/// @param name e.g. "Range -> map(double) -> filter(even)"
/// @param site the lines of the program that it works for, "Main:42, Main:43"; empty if none is known
/// @param tasksStopped tasks that ended early because no more output was wanted
/// @param totalTasks the total number of tasks, if known
/// @param totalRows the total number of output rows, if known
/// @param done the fraction of its work that is done, from 0 to 1, if the total is known
/// @param inputRows,inputBytes the input of its tasks, or what they read, in memory
/// @param read present for an operator that reads a source: the files it has read
/// @param written present for an operator that writes: the files it has written
/// @param outputBlocks its output; 0 for one that writes
/// @param outputRows,outputBytes the same in rows and bytes; for one that writes, what it has written
/// @param wall task time on the worker, without waiting for credit
/// @param queueWait how long input blocks waited before a task took them
/// @param heldNanos time in which work was available but a policy refused it, by policy name
/// @param heldBy the policy that holds it back now, or null
/// @param heldReason the reason of that policy, or null
/// @param queuedBlocks,queuedBytes finished output that was not taken yet
/// @param peakBytes most block memory of this operator at one time (queued output and running tasks' output)
/// @param actors living actors (0 for tasks)
/// @param counters sums of the tasks' own counters
public record OperatorStats(
        String name,
        String site,
        long tasksRunning,
        long tasksFinished,
        long tasksFailed,
        long tasksStopped,
        OptionalLong totalTasks,
        OptionalLong totalRows,
        OptionalDouble done,
        long inputRows,
        long inputBytes,
        Optional<FileStats> read,
        Optional<FileStats> written,
        long outputBlocks,
        long outputRows,
        long outputBytes,
        Distribution wall,
        Distribution cpu,
        Distribution rowsPerBlock,
        Distribution bytesPerBlock,
        Distribution queueWait,
        Map<String, Long> heldNanos,
        @Nullable String heldBy,
        @Nullable String heldReason,
        int queuedBlocks,
        long queuedBytes,
        long peakBytes,
        int actors,
        boolean finished,
        Map<String, Long> counters) {
    /// Its name with those lines of the program that it does not contain already: "sort(fare) at Main:42".
    public String title() {
        String lines = Stream.of(site.split(", "))
                .filter(line -> !line.isEmpty()
                        && !Pattern.compile(Pattern.quote(line) + "(?!\\d)")
                                .matcher(name)
                                .find())
                .collect(Collectors.joining(", "));
        return lines.isEmpty() ? name : name + " at " + lines;
    }
}
