package dev.millrace.internal.stats;

import static dev.millrace.internal.stats.HumanUnits.bytes;
import static dev.millrace.internal.stats.HumanUnits.count;
import static dev.millrace.internal.stats.HumanUnits.percent;
import static dev.millrace.internal.stats.HumanUnits.rowsPerSecond;
import static dev.millrace.internal.stats.HumanUnits.time;

import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/// The text of `dataset.stats()`: the run in one line, then each operator in the order of the data flow.
///
/// Lines without information (no failures, never held back, no actors) are omitted.
public final class StatsText {
    /// A task's counter with this ending is a time.
    private static final String NANOS = "Nanos";

    /// Counters of tasks that are printed separately.
    private static final Set<String> ELSEWHERE =
            Set.of("rowsIn", "bytesIn", "filesRead", "bytesRead", "rowsWritten", "filesWritten", "bytesWritten");

    /// The time in users' functions.
    private static final String UDF_NANOS = "udfNanos";

    private StatsText() {}

    public static String format(RunStats run) {
        StringBuilder text = new StringBuilder();
        text.append(summary(run)).append('\n');
        if (!run.tasksPerNode().isEmpty()) {
            text.append(nodes(run.tasksPerNode())).append('\n');
        }
        run.gpus().forEach(gpu -> text.append(gpu(gpu)).append('\n'));
        int number = 0;
        for (OperatorStats operator : run.operators()) {
            text.append('\n').append(++number).append(". ").append(operator.title());
            text.append(operator.finished() || run.state() != RunStats.State.RUNNING ? "" : " (running)")
                    .append('\n');
            for (Line line : lines(operator, run)) {
                text.append(String.format(Locale.ROOT, "   %-13s %s\n", line.label(), line.value()));
            }
            hints(run, operator)
                    .forEach(hint ->
                            text.append("   hint          ").append(hint).append('\n'));
        }
        return text.toString();
    }

    /// "tasks by node: node-1 12, node-2 13".
    private static String nodes(Map<String, Long> tasks) {
        return "tasks by node: "
                + tasks.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> entry.getKey() + " " + count(entry.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /// "GPU 0 (NVIDIA H200): busy 37 % of 12.3 s, idle 7.7 s, memory up to 40 GiB of 140 GiB".
    private static String gpu(GpuStats gpu) {
        return "GPU " + gpu.device() + " (" + gpu.name() + "): busy " + percent(gpu.busy()) + " of "
                + time(gpu.watchedNanos()) + ", idle " + time(gpu.idleNanos()) + ", memory up to "
                + bytes(gpu.peakMemoryBytes()) + " of " + bytes(gpu.totalMemoryBytes());
    }

    /// The sentences about one operator.
    public static List<String> hints(RunStats run, OperatorStats operator) {
        return run.hints().stream()
                .filter(hint -> hint.operator().equals(operator.name()))
                .map(Hint::sentence)
                .toList();
    }

    /// One line: "trips: finished in 1.24 s, 2 M rows in (8 files of 52 MiB), 666,667 out (10.2 MiB), 1.61 M rows/s,
    /// peak memory 128 MiB"; of a write "666,667 rows written to 4 files (8.1 MiB)".
    public static String summary(RunStats run) {
        String state = switch (run.state()) {
            case RUNNING -> "running for ";
            case FINISHED -> "finished in ";
            case FAILED -> "failed after ";
            case CANCELLED -> "cancelled after ";
        };
        long read = run.rowsRead();
        long counted = Math.max(read, run.outputRows());
        return run.name() + ": " + state + time(run.elapsedNanos())
                + (read == 0 ? "" : ", " + rows(read) + " in" + files(run.read(), " (", " of ", ")"))
                + ", " + output(run, read)
                + (run.elapsedNanos() > 0 ? ", " + rowsPerSecond(counted, run.elapsedNanos()) : "")
                + ", peak memory " + bytes(run.peakMemoryBytes());
    }

    /// "1,000 out (7.81 KiB)", "1,000 rows written to 4 files (12 KiB)".
    private static String output(RunStats run, long read) {
        if (run.written().isPresent()) {
            return rows(run.outputRows()) + " written" + files(run.written().get(), " to ", " (", ")");
        }
        return (read == 0 ? rows(run.outputRows()) : count(run.outputRows()) + " out") + " (" + bytes(run.outputBytes())
                + ")";
    }

    /// "4 files (12 KiB)" with the given prefix and suffix; empty if there are none.
    private static String files(FileStats files, String before, String between, String after) {
        return files.files() == 0 && files.bytes() == 0
                ? ""
                : before
                        + count(files.files())
                        + (files.files() == 1 ? " file" : " files")
                        + between
                        + bytes(files.bytes())
                        + after;
    }

    private record Line(String label, String value) {}

    private static List<Line> lines(OperatorStats operator, RunStats run) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line("tasks", tasks(operator)));
        if (operator.inputRows() > 0) {
            lines.add(new Line(
                    "input",
                    rows(operator.inputRows()) + ", " + bytes(operator.inputBytes())
                            + operator.read()
                                    .map(read -> files(read, ", from ", " of ", ""))
                                    .orElse("")));
        }
        if (operator.written().isPresent()) {
            lines.add(new Line(
                    "written",
                    rows(operator.outputRows()) + files(operator.written().get(), " to ", ", ", "")));
        } else {
            lines.add(new Line(
                    "output",
                    count(operator.outputBlocks()) + (operator.outputBlocks() == 1 ? " block, " : " blocks, ")
                            + rows(operator.outputRows()) + ", " + bytes(operator.outputBytes())));
        }
        long rows = Math.max(operator.inputRows(), operator.outputRows());
        if (rows > 0 && run.elapsedNanos() > 0) {
            lines.add(new Line("throughput", throughput(rows, operator, run)));
        }
        if (operator.outputBlocks() > 0) {
            lines.add(new Line("block rows", spread(operator.rowsPerBlock(), HumanUnits::count)));
            lines.add(new Line("block size", spread(operator.bytesPerBlock(), HumanUnits::bytes)));
        }
        if (operator.wall().count() > 0) {
            lines.add(new Line("wall time", spreadAndTotal(operator.wall())));
            lines.add(new Line("CPU time", spreadAndTotal(operator.cpu())));
        }
        Map<String, Long> counters = new TreeMap<>(operator.counters());
        counters.keySet().removeAll(ELSEWHERE);
        counters.values().removeIf(amount -> amount == 0);
        counters.forEach((name, amount) -> lines.add(counter(name, amount, operator)));
        if (operator.queueWait().count() > 0) {
            lines.add(new Line("queue wait", spread(operator.queueWait(), HumanUnits::time)));
        }
        if (operator.heldNanos().values().stream().anyMatch(nanos -> nanos > 0)) {
            lines.add(new Line("backpressure", backpressure(operator)));
        }
        if (operator.actors() > 0) {
            lines.add(new Line("actors", count(operator.actors())));
        }
        lines.add(new Line("peak memory", bytes(operator.peakBytes())));
        return lines;
    }

    private static String tasks(OperatorStats operator) {
        List<String> parts = new ArrayList<>();
        part(parts, operator.tasksFinished(), " finished");
        part(parts, operator.tasksRunning(), " running");
        part(parts, operator.tasksFailed(), " failed");
        part(parts, operator.tasksStopped(), " stopped early");
        if (!operator.finished() && operator.totalTasks().isPresent()) {
            parts.add("of " + count(operator.totalTasks().getAsLong()));
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static void part(List<String> parts, long amount, String what) {
        if (amount > 0) {
            parts.add(count(amount) + what);
        }
    }

    /// The rate of the whole run, and of one task alone: their ratio shows how many tasks were busy at once.
    private static String throughput(long rows, OperatorStats operator, RunStats run) {
        String text = rowsPerSecond(rows, run.elapsedNanos());
        long wall = operator.wall().total();
        return wall > 0 ? text + ", " + rowsPerSecond(rows, wall) + " in one task" : text;
    }

    /// "decodeNanos" becomes "decode 3.2 ms (41 % of wall time)"; other counters are shown as counts.
    private static Line counter(String name, long amount, OperatorStats operator) {
        if (!name.endsWith(NANOS)) {
            return new Line(words(name), count(amount));
        }
        String label = name.equals(UDF_NANOS) ? "functions" : words(name.substring(0, name.length() - NANOS.length()));
        long wall = operator.wall().total();
        return new Line(
                label, time(amount) + (wall > 0 ? " (" + percent((double) amount / wall) + " of wall time)" : ""));
    }

    private static String words(String camelCase) {
        return camelCase.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }

    /// "4 s by DownstreamCapacity (the operators behind it are slower), 300 ms by ...; now ...".
    private static String backpressure(OperatorStats operator) {
        String text = operator.heldNanos().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> time(entry.getValue()) + " by " + PolicyWords.explained(entry.getKey()))
                .collect(Collectors.joining(", "));
        return operator.heldReason() == null
                ? text
                : text + "; now by " + operator.heldBy() + ": " + operator.heldReason();
    }

    private static String rows(long rows) {
        return count(rows) + (rows == 1 ? " row" : " rows");
    }

    private static String spread(Distribution amounts, DoubleFunction<String> unit) {
        return unit.apply((double) amounts.min()) + " min, " + unit.apply((double) amounts.max()) + " max, "
                + unit.apply(amounts.mean()) + " mean";
    }

    private static String spreadAndTotal(Distribution times) {
        return spread(times, HumanUnits::time) + ", " + time(times.total()) + " total";
    }
}
