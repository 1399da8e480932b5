package dev.millrace.internal.observe;

import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// What the ended runs of a session have counted, by dataset and operator: counters of metrics never fall, so figures
/// of a run must outlive it. Runs of one dataset add up. Thread-safe.
public final class MetricTotals {
    /// A program that gives each dataset a name of its own does not fill the memory: later ones share this name.
    public static final int MAX_SERIES = 1_000;

    public static final String OTHERS = "others";

    /// What a counter is of.
    public record Key(String dataset, String operator) {}

    /// The counters of an operator.
    public record Sums(
            long rowsIn,
            long rowsOut,
            long bytesOut,
            long tasksFinished,
            long tasksFailed,
            long wallNanos,
            long cpuNanos,
            Map<String, Long> heldNanos,
            Map<String, Long> counters) {
        static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of());

        static Sums of(OperatorStats stats) {
            return new Sums(
                    stats.inputRows(),
                    stats.outputRows(),
                    stats.outputBytes(),
                    stats.tasksFinished(),
                    stats.tasksFailed(),
                    stats.wall().total(),
                    stats.cpu().total(),
                    stats.heldNanos(),
                    stats.counters());
        }

        Sums plus(Sums other) {
            return new Sums(
                    rowsIn + other.rowsIn,
                    rowsOut + other.rowsOut,
                    bytesOut + other.bytesOut,
                    tasksFinished + other.tasksFinished,
                    tasksFailed + other.tasksFailed,
                    wallNanos + other.wallNanos,
                    cpuNanos + other.cpuNanos,
                    both(heldNanos, other.heldNanos),
                    both(counters, other.counters));
        }

        private static Map<String, Long> both(Map<String, Long> some, Map<String, Long> more) {
            Map<String, Long> all = new TreeMap<>(some);
            more.forEach((name, amount) -> all.merge(name, amount, Long::sum));
            return all;
        }
    }

    private final Map<Key, Sums> sums = new LinkedHashMap<>();
    private final Map<RunStats.State, Long> runs = new EnumMap<>(RunStats.State.class);

    public synchronized void ended(RunDetails run) {
        runs.merge(run.stats().state(), 1L, Long::sum);
        add(sums, run.stats());
    }

    /// As they are now, for a reader that takes its time.
    public synchronized MetricTotals copy() {
        MetricTotals copy = new MetricTotals();
        copy.sums.putAll(sums);
        copy.runs.putAll(runs);
        return copy;
    }

    private static void add(Map<Key, Sums> to, RunStats run) {
        for (OperatorStats operator : run.operators()) {
            Key key = new Key(dataset(run.name()), operator.name());
            Key counted = to.containsKey(key) || to.size() < MAX_SERIES ? key : new Key(OTHERS, OTHERS);
            to.merge(counted, Sums.of(operator), Sums::plus);
        }
    }

    /// The sums of ended runs and of those that run.
    synchronized Map<Key, Sums> with(Iterable<RunDetails> running) {
        Map<Key, Sums> all = new LinkedHashMap<>(sums);
        running.forEach(run -> add(all, run.stats()));
        return all;
    }

    synchronized Map<RunStats.State, Long> runs() {
        return new EnumMap<>(runs);
    }

    /// The name of a run without its number.
    static String dataset(String run) {
        int dash = run.lastIndexOf('-');
        return dash > 0 && run.substring(dash + 1).chars().allMatch(Character::isDigit) ? run.substring(0, dash) : run;
    }
}
