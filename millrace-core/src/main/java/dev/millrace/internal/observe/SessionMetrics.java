package dev.millrace.internal.observe;

import dev.millrace.stats.MetricFamily;
import dev.millrace.stats.MetricFamily.Kind;
import dev.millrace.stats.MetricFamily.Sample;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The metrics of a session, for all who export them; docs/metrics.md lists them. `dataset` is the name of a dataset
/// without the number of its run, so that each run continues the counters of the one before. Every family is in each
/// list, whether or not it has values.
public final class SessionMetrics {
    private static final double NANOS = 1e9;

    private final List<MetricFamily> families = new ArrayList<>();

    private SessionMetrics() {}

    /// @param ended what has ended; no run may be among `running` too
    public static List<MetricFamily> of(SessionView session, List<RunDetails> running, MetricTotals ended) {
        SessionMetrics all = new SessionMetrics();
        all.session(session, running, ended);
        all.counters(ended.with(running));
        all.gauges(running);
        return all.families;
    }

    private void session(SessionView session, List<RunDetails> running, MetricTotals ended) {
        one("runs.running", Kind.GAUGE, "{run}", "Runs that are open.", running.size());
        Map<RunStats.State, Long> byState = ended.runs();
        List<Sample> states = new ArrayList<>();
        for (RunStats.State state : RunStats.State.values()) {
            if (state != RunStats.State.RUNNING) {
                states.add(new Sample(Map.of("state", state.name().toLowerCase(Locale.ROOT)), (double)
                        byState.getOrDefault(state, 0L)));
            }
        }
        add("runs", Kind.COUNTER, "{run}", "Runs that have ended, by how.", states);
        one("memory_bytes", Kind.GAUGE, "By", "Block memory that is held in this process.", session.memoryHeld());
        one("memory_limit_bytes", Kind.GAUGE, "By", "The limit of block memory.", session.memoryLimit());
        one("cpus", Kind.GAUGE, "{cpu}", "CPUs of the session.", session.total().cpus());
        one(
                "cpus_used",
                Kind.GAUGE,
                "{cpu}",
                "CPUs that tasks have taken.",
                session.used().cpus());
        one("gpus", Kind.GAUGE, "{gpu}", "GPUs of the session.", session.total().gpus());
        one(
                "gpus_used",
                Kind.GAUGE,
                "{gpu}",
                "GPUs that tasks and actors have taken.",
                session.used().gpus());
        one(
                "nodes",
                Kind.GAUGE,
                "{node}",
                "Nodes that tasks run on.",
                session.nodes().size());
        List<Sample> cpu = new ArrayList<>();
        session.cpuNanos().ifPresent(nanos -> cpu.add(new Sample(Map.of(), nanos / NANOS)));
        add("cpu_seconds", Kind.COUNTER, "s", "CPU time of the workers.", cpu);
        one(
                "spilled_bytes",
                Kind.COUNTER,
                "By",
                "Bytes of blocks that were spilled.",
                session.spill().spilledBytes());
        one(
                "spill_read_bytes",
                Kind.COUNTER,
                "By",
                "Bytes of spilled blocks that were read back.",
                session.spill().readBytes());
        one(
                "spill_disk_bytes",
                Kind.GAUGE,
                "By",
                "Bytes on disk now.",
                session.spill().diskBytes());
    }

    private void counters(Map<MetricTotals.Key, MetricTotals.Sums> sums) {
        each(sums, "input_rows", "{row}", "Rows that tasks were given or read.", MetricTotals.Sums::rowsIn);
        each(sums, "rows", "{row}", "Rows that tasks made or wrote.", MetricTotals.Sums::rowsOut);
        each(sums, "bytes", "By", "Bytes that tasks made or wrote.", MetricTotals.Sums::bytesOut);
        each(sums, "tasks", "{task}", "Tasks that finished.", MetricTotals.Sums::tasksFinished);
        each(sums, "failed_attempts", "{attempt}", "Attempts that failed.", MetricTotals.Sums::tasksFailed);
        each(sums, "task_seconds", "s", "Time of tasks.", sum -> sum.wallNanos() / NANOS);
        each(sums, "cpu_seconds", "s", "CPU time of tasks.", sum -> sum.cpuNanos() / NANOS);
        List<Sample> held = new ArrayList<>();
        sums.forEach((key, sum) -> sum.heldNanos()
                .forEach((policy, nanos) -> held.add(new Sample(labels(key, "policy", policy), nanos / NANOS))));
        add("operator.held_seconds", Kind.COUNTER, "s", "Time in which a policy held work back.", held);
        List<Sample> counted = new ArrayList<>();
        sums.forEach((key, sum) -> sum.counters()
                .forEach((counter, amount) ->
                        counted.add(new Sample(labels(key, "counter", counter), (double) amount))));
        add("operator.count", Kind.COUNTER, "1", "Counters of tasks, and those of functions by their name.", counted);
    }

    private void each(
            Map<MetricTotals.Key, MetricTotals.Sums> sums,
            String name,
            String unit,
            String description,
            ToDoubleFunction<MetricTotals.Sums> value) {
        List<Sample> samples = new ArrayList<>();
        sums.forEach((key, sum) -> samples.add(new Sample(labels(key), value.applyAsDouble(sum))));
        add("operator." + name, Kind.COUNTER, unit, description, samples);
    }

    /// Of runs of one dataset and operators of one name the sum.
    private record Now(double tasks, double blocks, double bytes, double memory, double actors, double held) {
        Now plus(Now other) {
            return new Now(
                    tasks + other.tasks,
                    blocks + other.blocks,
                    bytes + other.bytes,
                    memory + other.memory,
                    actors + other.actors,
                    Math.max(held, other.held));
        }
    }

    private void gauges(List<RunDetails> running) {
        Map<MetricTotals.Key, Now> all = new LinkedHashMap<>();
        for (RunDetails run : running) {
            for (int i = 0; i < run.operators().size() && all.size() < MetricTotals.MAX_SERIES; i++) {
                OperatorStats stats = run.stats().operators().get(i);
                OperatorDetails details = run.operators().get(i);
                all.merge(
                        new MetricTotals.Key(MetricTotals.dataset(run.stats().name()), stats.name()),
                        new Now(
                                stats.tasksRunning(),
                                stats.queuedBlocks(),
                                stats.queuedBytes(),
                                details.memoryBytes(),
                                stats.actors(),
                                stats.heldBy() == null ? 0 : 1),
                        Now::plus);
            }
        }
        gauge(all, "tasks_running", "{task}", "Tasks in flight.", Now::tasks);
        gauge(all, "queued_blocks", "{block}", "Blocks that were made and not taken.", Now::blocks);
        gauge(all, "queued_bytes", "By", "Their bytes.", Now::bytes);
        gauge(all, "memory_bytes", "By", "Bytes of the operator in the store.", Now::memory);
        gauge(all, "actors", "{actor}", "Actors that live.", Now::actors);
        gauge(all, "held", "1", "1 while a policy holds it back.", Now::held);
    }

    private void gauge(
            Map<MetricTotals.Key, Now> all, String name, String unit, String description, ToDoubleFunction<Now> value) {
        List<Sample> samples = new ArrayList<>();
        all.forEach((key, now) -> samples.add(new Sample(labels(key), value.applyAsDouble(now))));
        add("operator." + name, Kind.GAUGE, unit, description, samples);
    }

    private static Map<String, String> labels(MetricTotals.Key key) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("dataset", key.dataset());
        labels.put("operator", key.operator());
        return labels;
    }

    private static Map<String, String> labels(MetricTotals.Key key, String name, String value) {
        Map<String, String> labels = labels(key);
        labels.put(name, value);
        return labels;
    }

    private void one(String name, Kind kind, String unit, String description, long value) {
        one(name, kind, unit, description, (double) value);
    }

    private void one(String name, Kind kind, String unit, String description, double value) {
        add(name, kind, unit, description, List.of(new Sample(Map.of(), value)));
    }

    private void add(String name, Kind kind, String unit, String description, List<Sample> samples) {
        families.add(new MetricFamily("millrace." + name, kind, unit, description, samples));
    }
}
