package dev.millrace.stats;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One operator of a run, now or at its end. Rows count as they are made: those of running tasks too, as far as the
/// tasks have told.
///
/// @param name e.g. "Range -> map(double) -> filter(even)"
/// @param site the lines of the program that it works for, "Main:42, Main:43"; empty where none is known
/// @param tasksStopped tasks that ended early because nobody wanted more of them
/// @param totalTasks how many tasks there will be, where that is known
/// @param totalRows how many rows it will put out, where that is known
/// @param done how much of its work is done, from 0 to 1, where the whole is known
/// @param inputRows,inputBytes what its tasks were given, or read, in memory
/// @param read present for an operator that reads a source: the files it has read
/// @param written present for an operator that writes: the files it has written
/// @param outputBlocks what it has put out; 0 for one that writes
/// @param outputRows,outputBytes the same in rows and bytes; for one that writes, what it has written
/// @param wall task time on the worker, without waiting for credit
/// @param queueWait how long input blocks waited before a task took them
/// @param heldNanos time in which work was there but a policy refused it, by policy name
/// @param heldBy the policy that holds it now, or null
/// @param heldReason what that policy says, or null
/// @param queuedBlocks,queuedBytes finished output that nobody has taken yet
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
        String heldBy,
        String heldReason,
        int queuedBlocks,
        long queuedBytes,
        long peakBytes,
        int actors,
        boolean finished,
        Map<String, Long> counters) {
    /// Its name with those lines of the program that are not in it already: "sort(fare) at Main:42".
    public String title() {
        String lines = Stream.of(site.split(", "))
                .filter(line -> !line.isEmpty()
                        && !Pattern.compile(Pattern.quote(line) + "(?!\\d)").matcher(name).find())
                .collect(Collectors.joining(", "));
        return lines.isEmpty() ? name : name + " at " + lines;
    }
}
