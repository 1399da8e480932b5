package dev.millrace.internal.dashboard;

import dev.millrace.internal.observe.DeadLetterSample;
import dev.millrace.internal.observe.ObservedRun;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run that is not in the archive yet: its latest figures and its timelines. Written by the sampling thread, read by
/// those of requests: all methods are synchronized.
final class LiveRun {
    private final String id;
    private final ObservedRun run;
    private final SessionView session;
    private final long startedAt;
    private final RunSeries series = new RunSeries();
    private @Nullable String explained;
    private @Nullable RunDetails last;
    private double[] rates = {};
    private double[] rows = {};
    private double lastSeconds;
    private double lastIn;
    private double lastOut;
    private long lastCpu;
    private long lastSpilled;
    private RunSeries.@Nullable Point point;
    private List<DeadLetterSample> letters = List.of();
    private boolean complete;

    /// @param startedAt milliseconds since 1970
    LiveRun(String id, ObservedRun run, SessionView session, long startedAt) {
        this.id = id;
        this.run = run;
        this.session = session;
        this.startedAt = startedAt;
        this.lastCpu = session.cpuNanos().orElse(0);
        this.lastSpilled = session.spill().spilledBytes();
    }

    String id() {
        return id;
    }

    String name() {
        return run.name();
    }

    /// Asks the run. Not under the lock, since its loop answers.
    RunDetails look() {
        return run.details();
    }

    /// Prints the plan and lets it go; once. By the sampling thread only: it plans anew.
    void explain() {
        synchronized (this) {
            if (explained != null) {
                return;
            }
        }
        String text;
        try {
            text = run.explain();
        } catch (RuntimeException e) {
            text = "The plan cannot be printed: " + e.getMessage();
        }
        run.close();
        synchronized (this) {
            explained = text;
        }
    }

    /// Takes over what was seen, as a point of the timelines.
    synchronized void add(RunDetails seen) {
        RunStats stats = seen.stats();
        double seconds = stats.elapsedNanos() / 1e9;
        double passed = seconds - lastSeconds;
        last = seen;
        if (passed <= 0) {
            return;
        }
        List<OperatorStats> operators = stats.operators();
        double[] made = new double[operators.size()];
        double[] rate = new double[operators.size()];
        int[] actors = new int[operators.size()];
        for (int i = 0; i < made.length; i++) {
            made[i] = operators.get(i).outputRows();
            rate[i] = Math.max(0, made[i] - (i < rows.length ? rows[i] : 0)) / passed;
            actors[i] = operators.get(i).actors();
        }
        long cpu = session.cpuNanos().orElse(0);
        long spilled = session.spill().spilledBytes();
        point = new RunSeries.Point(
                seconds,
                Math.max(0, stats.rowsRead() - lastIn) / passed,
                Math.max(0, stats.outputRows() - lastOut) / passed,
                stats.memoryBytes(),
                session.memoryHeld(),
                (cpu - lastCpu) / 1e9 / passed,
                session.used().cpus(),
                session.used().gpus(),
                (spilled - lastSpilled) / passed,
                rate,
                actors);
        series.add(point);
        rows = made;
        rates = rate;
        lastSeconds = seconds;
        lastIn = stats.rowsRead();
        lastOut = stats.outputRows();
        lastCpu = cpu;
        lastSpilled = spilled;
    }

    /// Its rows that failed, once it has ended.
    synchronized void letters(List<DeadLetterSample> samples) {
        letters = samples;
        complete = true;
    }

    synchronized @Nullable RunDetails last() {
        return last;
    }

    synchronized Map<String, @Nullable Object> summary() {
        return RunJson.summary(id, startedAt, known());
    }

    /// What changes while it runs, with the newest point of its timelines.
    ///
    /// @param tasks with its tasks
    synchronized Map<String, @Nullable Object> update(boolean tasks) {
        Map<String, @Nullable Object> json = figures(tasks);
        json.put("point", point == null ? null : point.json());
        return json;
    }

    private Map<String, @Nullable Object> figures(boolean tasks) {
        double[] shown = known().stats().state() == RunStats.State.RUNNING ? rates : overall();
        Map<String, @Nullable Object> json = RunJson.figures(id, startedAt, known(), shown, session);
        json.put("complete", complete);
        if (tasks) {
            json.put("tasks", RunJson.tasks(known()));
        }
        return json;
    }

    /// Of a run that has ended: rows per second of its whole time.
    private double[] overall() {
        double seconds = Math.max(1e-9, known().stats().elapsedNanos() / 1e9);
        return known().stats().operators().stream()
                .mapToDouble(each -> each.outputRows() / seconds)
                .toArray();
    }

    /// Everything about it.
    synchronized Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> json = figures(true);
        json.put("series", series.json());
        json.put("deadLetters", RunJson.letters(letters));
        json.put("explain", explained == null ? "" : explained);
        json.put("stats", StatsText.format(known().stats()));
        json.put("settings", RunJson.settings(run.settings()));
        json.put("runtime", session.runtime());
        return json;
    }

    private RunDetails known() {
        RunDetails seen = last;
        if (seen == null) {
            seen = look();
            last = seen;
        }
        return seen;
    }
}
