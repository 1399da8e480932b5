package dev.millrace.internal.observe;

import dev.millrace.stats.MetricFamily;
import dev.millrace.stats.MetricsExporter;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The metrics of a session for an exporter of the user's: threads of the session only put references into a list, and
/// the exporter's threads ask the runs. `this` guards the runs and the totals together: a run is in one of them.
public final class ExportedMetrics implements SessionObserver {
    private final SessionView session;
    private final Map<String, ObservedRun> live = new LinkedHashMap<>();
    private final MetricTotals totals = new MetricTotals();
    private final MetricsExporter.Export export;

    private ExportedMetrics(SessionView session, MetricsExporter exporter) {
        this.session = session;
        this.export = exporter.begin(this::now);
    }

    public static ExportedMetrics by(MetricsExporter exporter, SessionView session) {
        return new ExportedMetrics(session, exporter);
    }

    private List<MetricFamily> now() {
        List<ObservedRun> runs;
        MetricTotals ended;
        synchronized (this) {
            runs = new ArrayList<>(live.values());
            ended = totals.copy();
        }
        return SessionMetrics.of(
                session, runs.stream().map(ObservedRun::details).toList(), ended);
    }

    @Override
    public Optional<URI> address() {
        return Optional.empty();
    }

    @Override
    public synchronized void started(ObservedRun run) {
        run.close();
        live.put(run.name(), run);
    }

    @Override
    public synchronized void ended(RunDetails last, List<DeadLetterSample> letters) {
        if (live.remove(last.stats().name()) != null) {
            totals.ended(last);
        }
    }

    @Override
    public void close() {
        export.close();
    }
}
