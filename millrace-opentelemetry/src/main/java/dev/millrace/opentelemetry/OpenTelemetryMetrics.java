package dev.millrace.opentelemetry;

import dev.millrace.stats.MetricFamily;
import dev.millrace.stats.MetricsExporter;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/// Exports the metrics of a session through OpenTelemetry. Each metric is an asynchronous instrument of its own name,
/// kind and unit, and labels are attributes; whoever collects asks the session once for all of them, so nothing is
/// counted or sent while nobody collects.
///
/// Sessions that share one OpenTelemetry would report the same series twice: give each of several sessions a name.
/// Thread-safe; one exporter may serve several sessions.
public final class OpenTelemetryMetrics implements MetricsExporter {
    /// The name of the meter.
    public static final String SCOPE = "dev.millrace";

    private final OpenTelemetry telemetry;
    private final Attributes common;

    private OpenTelemetryMetrics(OpenTelemetry telemetry, Attributes common) {
        this.telemetry = telemetry;
        this.common = common;
    }

    /// Metrics of the only session of this OpenTelemetry; `GlobalOpenTelemetry.get()` is that of Java's agent.
    public static OpenTelemetryMetrics to(OpenTelemetry telemetry) {
        return new OpenTelemetryMetrics(Objects.requireNonNull(telemetry), Attributes.empty());
    }

    /// The same, with the attribute `session`, which tells this session's series from those of others.
    public OpenTelemetryMetrics named(String session) {
        return new OpenTelemetryMetrics(
                telemetry, common.toBuilder().put("session", session).build());
    }

    @Override
    public Export begin(Supplier<List<MetricFamily>> metrics) {
        Meter meter = telemetry.getMeter(SCOPE);
        Map<String, ObservableDoubleMeasurement> instruments = new LinkedHashMap<>();
        for (MetricFamily family : metrics.get()) {
            instruments.put(family.name(), instrument(meter, family));
        }
        ObservableMeasurement[] all = instruments.values().toArray(ObservableMeasurement[]::new);
        BatchCallback callback = meter.batchCallback(
                () -> record(metrics.get(), instruments), all[0], Arrays.copyOfRange(all, 1, all.length));
        return callback::close;
    }

    private static ObservableDoubleMeasurement instrument(Meter meter, MetricFamily family) {
        return switch (family.kind()) {
            case COUNTER ->
                meter.counterBuilder(family.name())
                        .ofDoubles()
                        .setUnit(family.unit())
                        .setDescription(family.description())
                        .buildObserver();
            case GAUGE ->
                meter.gaugeBuilder(family.name())
                        .setUnit(family.unit())
                        .setDescription(family.description())
                        .buildObserver();
        };
    }

    private void record(List<MetricFamily> families, Map<String, ObservableDoubleMeasurement> instruments) {
        for (MetricFamily family : families) {
            ObservableDoubleMeasurement instrument = instruments.get(family.name());
            if (instrument != null) {
                family.samples().forEach(sample -> instrument.record(sample.value(), attributes(sample.labels())));
            }
        }
    }

    private Attributes attributes(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return common;
        }
        AttributesBuilder attributes = common.toBuilder();
        labels.forEach(attributes::put);
        return attributes.build();
    }
}
