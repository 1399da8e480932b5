package dev.millrace.stats;

import java.util.List;
import java.util.function.Supplier;

/// Hands the metrics of a session to a system that collects such: [dev.millrace.Session.Builder#metrics]. The module
/// millrace-opentelemetry has one for OpenTelemetry; another system takes a few lines.
@FunctionalInterface
public interface MetricsExporter {
    /// Begins to export.
    ///
    /// @param metrics the metrics of the session as they are when it is asked; every family is in each answer, with the
    ///     same name, kind and unit. Any thread may ask, also after the session is closed; a run answers within
    ///     milliseconds
    /// @return ends the export; the session closes it after its last run
    Export begin(Supplier<List<MetricFamily>> metrics);

    /// A running export.
    @FunctionalInterface
    interface Export extends AutoCloseable {
        @Override
        void close();
    }
}
