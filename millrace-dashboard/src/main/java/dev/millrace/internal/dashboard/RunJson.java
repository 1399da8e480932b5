package dev.millrace.internal.dashboard;

import dev.millrace.compute.Resources;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.internal.observe.TaskSample;
import dev.millrace.settings.Settings;
import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The values of runs as JSON; `openapi.json` describes the same. Times are seconds, sizes bytes.
final class RunJson {
    private static final double NANOS = 1e9;
    private static final int MAX_VALUE_TEXT = 2_000;

    private RunJson() {}

    static byte[] bytes(@Nullable Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.take();
    }

    /// What the list of runs shows.
    static Map<String, @Nullable Object> summary(String id, long startedAt, RunDetails run) {
        RunStats stats = run.stats();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("name", stats.name());
        json.put("state", stats.state().name().toLowerCase(Locale.ROOT));
        json.put("startedAt", startedAt);
        json.put("elapsed", seconds(stats.elapsedNanos()));
        json.put("rowsIn", stats.rowsRead());
        json.put("rowsOut", stats.outputRows());
        json.put("bytesOut", stats.outputBytes());
        json.put("peakMemory", stats.peakMemoryBytes());
        json.put(
                "tasksFinished",
                stats.operators().stream()
                        .mapToLong(OperatorStats::tasksFinished)
                        .sum());
        json.put("errorCount", run.errors().stream().mapToLong(RunError::count).sum());
        json.put(
                "held",
                stats.operators().stream().filter(each -> each.heldBy() != null).count());
        return json;
    }

    /// The figures of a run as they change.
    ///
    /// @param rates rows per second of each operator
    static Map<String, @Nullable Object> figures(
            String id, long startedAt, RunDetails run, double[] rates, SessionView session) {
        RunStats stats = run.stats();
        Map<String, @Nullable Object> json = summary(id, startedAt, run);
        json.put("memory", stats.memoryBytes());
        json.put("memoryLimit", session.memoryLimit());
        json.put("cpus", session.total().cpus());
        json.put("gpus", session.total().gpus());
        json.put("failure", run.failure());
        json.put("hints", stats.hints().stream().map(RunJson::hint).toList());
        List<Object> operators = new ArrayList<>();
        for (int i = 0; i < stats.operators().size(); i++) {
            operators.add(operator(stats, i, run.operators().get(i), i < rates.length ? rates[i] : 0));
        }
        json.put("operators", operators);
        json.put("errors", run.errors().stream().map(RunJson::error).toList());
        json.put("nodes", nodes(run, session));
        return json;
    }

    private static Map<String, Object> hint(Hint hint) {
        return Map.of("operator", hint.operator(), "sentence", hint.sentence());
    }

    private static Map<String, @Nullable Object> operator(
            RunStats run, int position, OperatorDetails details, double rate) {
        OperatorStats stats = run.operators().get(position);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", stats.name());
        json.put("title", stats.title());
        json.put("feeds", details.feeds());
        json.put("through", details.through());
        json.put("state", state(run, stats));
        json.put("heldBy", stats.heldBy());
        json.put("heldReason", stats.heldReason());
        Map<String, Object> held = new TreeMap<>();
        stats.heldNanos().forEach((policy, nanos) -> held.put(policy, seconds(nanos)));
        json.put("held", held);
        json.put("rate", Math.round(rate));
        json.put("rowsIn", stats.inputRows());
        json.put("bytesIn", stats.inputBytes());
        json.put("rowsOut", stats.outputRows());
        json.put("bytesOut", stats.outputBytes());
        json.put("blocksOut", stats.outputBlocks());
        json.put("tasksRunning", stats.tasksRunning());
        json.put("tasksFinished", stats.tasksFinished());
        json.put("tasksFailed", stats.tasksFailed());
        json.put("tasksStopped", stats.tasksStopped());
        json.put(
                "totalTasks",
                stats.totalTasks().isPresent() ? stats.totalTasks().getAsLong() : null);
        json.put("done", stats.done().isPresent() ? stats.done().getAsDouble() : null);
        json.put("queuedBlocks", stats.queuedBlocks());
        json.put("queuedBytes", stats.queuedBytes());
        json.put("memory", details.memoryBytes());
        json.put("peakMemory", stats.peakBytes());
        json.put("actors", stats.actors());
        json.put("readyActors", details.readyActors());
        json.put("maxActors", details.maxActors());
        json.put("scaling", details.scaling());
        json.put("wall", times(stats.wall()));
        json.put("cpu", times(stats.cpu()));
        json.put("queueWait", times(stats.queueWait()));
        json.put("rowsPerBlock", amounts(stats.rowsPerBlock()));
        json.put("read", stats.read().map(RunJson::files).orElse(null));
        json.put("written", stats.written().map(RunJson::files).orElse(null));
        json.put("counters", new TreeMap<>(stats.counters()));
        return json;
    }

    private static String state(RunStats run, OperatorStats operator) {
        if (operator.finished()) {
            return "finished";
        }
        if (run.state() != RunStats.State.RUNNING) {
            return "stopped";
        }
        return operator.tasksRunning() > 0 ? "running" : operator.heldBy() != null ? "held" : "waiting";
    }

    private static Map<String, Object> files(FileStats files) {
        return Map.of("files", files.files(), "bytes", files.bytes());
    }

    private static Map<String, Object> times(Distribution nanos) {
        return Map.of(
                "count",
                nanos.count(),
                "min",
                seconds(nanos.min()),
                "max",
                seconds(nanos.max()),
                "mean",
                seconds((long) nanos.mean()),
                "total",
                seconds(nanos.total()));
    }

    private static Map<String, Object> amounts(Distribution of) {
        return Map.of("count", of.count(), "min", of.min(), "max", of.max(), "mean", Math.round(of.mean()));
    }

    private static Map<String, Object> error(RunError error) {
        return Map.of(
                "operator",
                error.operator(),
                "kind",
                error.kind(),
                "message",
                error.message(),
                "where",
                error.where(),
                "count",
                error.count(),
                "at",
                seconds(error.atNanos()));
    }

    private static List<Object> nodes(RunDetails run, SessionView session) {
        List<Object> nodes = new ArrayList<>();
        for (SessionView.NodeView node : session.nodes()) {
            String name = Objects.requireNonNullElse(node.name(), "this process");
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("total", resources(node.total()));
            json.put("used", resources(node.used()));
            json.put("blockMemory", node.blockMemory());
            boolean alone = session.nodes().size() == 1;
            json.put(
                    "tasks",
                    alone ? ended(run.stats()) : run.stats().tasksPerNode().get(name));
            json.put("bytes", alone ? queued(run.stats()) : run.bytesPerNode().get(name));
            nodes.add(json);
        }
        return nodes;
    }

    private static Long ended(RunStats run) {
        return run.operators().stream()
                .mapToLong(each -> each.tasksFinished() + each.tasksFailed() + each.tasksStopped())
                .sum();
    }

    private static Long queued(RunStats run) {
        return run.operators().stream().mapToLong(OperatorStats::queuedBytes).sum();
    }

    private static Map<String, Object> resources(Resources amount) {
        return Map.of("cpus", amount.cpus(), "gpus", amount.gpus());
    }

    /// The attempts of a run.
    static List<Map<String, @Nullable Object>> tasks(RunDetails run) {
        List<Map<String, @Nullable Object>> tasks = new ArrayList<>();
        for (TaskSample task : run.tasks()) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("id", task.id());
            json.put("operator", task.operator());
            json.put("input", task.input());
            json.put("node", task.node());
            json.put("start", seconds(task.startNanos()));
            json.put("end", seconds(task.endNanos()));
            json.put("cpu", seconds(task.cpuNanos()));
            json.put("paused", seconds(task.pausedNanos()));
            json.put("rows", task.rows());
            json.put("state", task.outcome().name().toLowerCase(Locale.ROOT));
            json.put("slow", task.slow());
            tasks.add(json);
        }
        return tasks;
    }

    static List<Map<String, @Nullable Object>> letters(List<DeadLetterSample> samples) {
        List<Map<String, @Nullable Object>> letters = new ArrayList<>();
        for (DeadLetterSample sample : samples) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("name", sample.name());
            json.put("rows", sample.rows());
            List<Object> rows = new ArrayList<>();
            for (Map<String, @Nullable Object> row : sample.first()) {
                Map<String, @Nullable Object> texts = new LinkedHashMap<>();
                row.forEach((column, value) -> texts.put(column, cut(value)));
                rows.add(texts);
            }
            json.put("first", rows);
            letters.add(json);
        }
        return letters;
    }

    private static @Nullable Object cut(@Nullable Object value) {
        return value instanceof String text && text.length() > MAX_VALUE_TEXT
                ? text.substring(0, MAX_VALUE_TEXT) + "..."
                : value;
    }

    /// The settings in force, as they print themselves; no secret is among them.
    static List<Map<String, Object>> settings(Settings settings) {
        List<Map<String, Object>> all = new ArrayList<>();
        List<Object> kinds = new ArrayList<>(settings.ofDatasets());
        kinds.add(settings.limits());
        kinds.add(settings.spill());
        for (Object kind : kinds) {
            String text = kind.toString();
            int open = text.indexOf('[');
            all.add(Map.of(
                    "name", open < 0 ? kind.getClass().getSimpleName() : text.substring(0, open),
                    "text", open < 0 ? text : text.substring(open + 1, text.length() - 1)));
        }
        return all;
    }

    private static double seconds(long nanos) {
        return Math.round(nanos / 1e3) / (NANOS / 1e3);
    }
}
