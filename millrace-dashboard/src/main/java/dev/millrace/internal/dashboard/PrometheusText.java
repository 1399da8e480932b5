package dev.millrace.internal.dashboard;

import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The figures of a session in Prometheus' text format; docs/metrics.md lists them. `dataset` is the name of a dataset
/// without the number of its run, so that each run continues the counters of the one before.
final class PrometheusText {
    private static final double NANOS = 1e9;

    private final StringBuilder text = new StringBuilder();

    private PrometheusText() {}

    static String of(SessionView session, List<RunDetails> running, MetricTotals totals, long eventsDropped) {
        PrometheusText all = new PrometheusText();
        all.session(session, running, totals, eventsDropped);
        all.counters(totals.with(running));
        all.gauges(running);
        return all.text.toString();
    }

    private void session(SessionView session, List<RunDetails> running, MetricTotals totals, long eventsDropped) {
        one("millrace_runs_running", "gauge", "Runs that are open.", running.size());
        head("millrace_runs_total", "counter", "Runs that have ended, by how.");
        Map<RunStats.State, Long> ended = totals.runs();
        for (RunStats.State state : RunStats.State.values()) {
            if (state != RunStats.State.RUNNING) {
                line(
                        "millrace_runs_total",
                        Map.of("state", state.name().toLowerCase(Locale.ROOT)),
                        ended.getOrDefault(state, 0L));
            }
        }
        one("millrace_memory_bytes", "gauge", "Block memory that is held in this process.", session.memoryHeld());
        one("millrace_memory_limit_bytes", "gauge", "The limit of block memory.", session.memoryLimit());
        one("millrace_cpus", "gauge", "CPUs of the session.", session.total().cpus());
        one(
                "millrace_cpus_used",
                "gauge",
                "CPUs that tasks have taken.",
                session.used().cpus());
        one("millrace_gpus", "gauge", "GPUs of the session.", session.total().gpus());
        one(
                "millrace_gpus_used",
                "gauge",
                "GPUs that tasks and actors have taken.",
                session.used().gpus());
        one(
                "millrace_nodes",
                "gauge",
                "Nodes that tasks run on.",
                session.nodes().size());
        if (session.cpuNanos().isPresent()) {
            one(
                    "millrace_cpu_seconds_total",
                    "counter",
                    "CPU time of the workers.",
                    session.cpuNanos().getAsLong() / NANOS);
        }
        one(
                "millrace_spilled_bytes_total",
                "counter",
                "Bytes of blocks that were spilled.",
                session.spill().spilledBytes());
        one(
                "millrace_spill_read_bytes_total",
                "counter",
                "Bytes of spilled blocks that were read back.",
                session.spill().readBytes());
        one(
                "millrace_spill_disk_bytes",
                "gauge",
                "Bytes on disk now.",
                session.spill().diskBytes());
        one(
                "millrace_dashboard_events_dropped_total",
                "counter",
                "Events that slow readers of the dashboard lost.",
                eventsDropped);
    }

    private void counters(Map<MetricTotals.Key, MetricTotals.Sums> sums) {
        each(sums, "millrace_operator_input_rows_total", "Rows that tasks were given or read.", s -> s.rowsIn());
        each(sums, "millrace_operator_rows_total", "Rows that tasks made or wrote.", s -> s.rowsOut());
        each(sums, "millrace_operator_bytes_total", "Bytes that tasks made or wrote.", s -> s.bytesOut());
        each(sums, "millrace_operator_tasks_total", "Tasks that finished.", s -> s.tasksFinished());
        each(sums, "millrace_operator_failed_attempts_total", "Attempts that failed.", s -> s.tasksFailed());
        each(sums, "millrace_operator_task_seconds_total", "Time of tasks.", s -> s.wallNanos() / NANOS);
        each(sums, "millrace_operator_cpu_seconds_total", "CPU time of tasks.", s -> s.cpuNanos() / NANOS);
        head("millrace_operator_held_seconds_total", "counter", "Time in which a policy held work back.");
        sums.forEach((key, sum) -> sum.heldNanos()
                .forEach((policy, nanos) ->
                        line("millrace_operator_held_seconds_total", labels(key, "policy", policy), nanos / NANOS)));
        head("millrace_operator_count_total", "counter", "Counters of tasks, and those of functions by their name.");
        sums.forEach((key, sum) -> sum.counters()
                .forEach((counter, amount) ->
                        line("millrace_operator_count_total", labels(key, "counter", counter), amount)));
    }

    private void each(
            Map<MetricTotals.Key, MetricTotals.Sums> sums,
            String name,
            String help,
            ToDoubleFunction<MetricTotals.Sums> value) {
        head(name, "counter", help);
        sums.forEach((key, sum) -> line(name, labels(key), value.applyAsDouble(sum)));
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
        gauge(all, "millrace_operator_tasks_running", "Tasks in flight.", Now::tasks);
        gauge(all, "millrace_operator_queued_blocks", "Blocks that were made and not taken.", Now::blocks);
        gauge(all, "millrace_operator_queued_bytes", "Their bytes.", Now::bytes);
        gauge(all, "millrace_operator_memory_bytes", "Bytes of the operator in the store.", Now::memory);
        gauge(all, "millrace_operator_actors", "Actors that live.", Now::actors);
        gauge(all, "millrace_operator_held", "1 while a policy holds it back.", Now::held);
    }

    private void gauge(Map<MetricTotals.Key, Now> all, String name, String help, ToDoubleFunction<Now> value) {
        head(name, "gauge", help);
        all.forEach((key, now) -> line(name, labels(key), value.applyAsDouble(now)));
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

    private void one(String name, String type, String help, long value) {
        one(name, type, help, (double) value);
    }

    private void one(String name, String type, String help, double value) {
        head(name, type, help);
        line(name, Map.of(), value);
    }

    private void head(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, Map<String, String> labels, double value) {
        text.append(name);
        String separator = "{";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            text.append(separator)
                    .append(label.getKey())
                    .append("=\"")
                    .append(escaped(label.getValue()))
                    .append('"');
            separator = ",";
        }
        text.append(labels.isEmpty() ? " " : "} ");
        text.append(value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : "" + value);
        text.append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
