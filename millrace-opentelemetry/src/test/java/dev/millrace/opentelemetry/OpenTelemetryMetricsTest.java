package dev.millrace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.function.FunctionContext;
import dev.millrace.iteration.CloseableIterator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// OpenTelemetry's own SDK collects from sessions.
class OpenTelemetryMetricsTest {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();

    @AfterEach
    void close() {
        telemetry.close();
    }

    @Test
    void countersHaveDatasetAndOperatorAndGoOnFromRunToRun() {
        try (Session session =
                Session.builder().metrics(OpenTelemetryMetrics.to(telemetry)).open()) {
            assertThat(points("millrace.runs")).containsEntry("{state=finished}", 0.0);
            for (int run = 1; run <= 2; run++) {
                double expected = 1_000.0 * run;
                session.range(1_000)
                        .mapBatches(OpenTelemetryMetricsTest::counted)
                        .named("numbers")
                        .materialize()
                        .close();
                assertThat(points("millrace.runs")).containsEntry("{state=finished}", (double) run);
                assertThat(points("millrace.operator.rows")).hasSize(1).allSatisfy((labels, rows) -> {
                    assertThat(labels).startsWith("{dataset=numbers, operator=").contains("mapBatches");
                    assertThat(rows).isEqualTo(expected);
                });
            }
            assertThat(points("millrace.operator.count")).anySatisfy((labels, count) -> {
                assertThat(labels).startsWith("{counter=tokens, dataset=numbers, operator=");
                assertThat(count).isEqualTo(2_000.0);
            });
        }
    }

    @Test
    void openRunsAreCountedOnceWhileTheyRunAndAfterwards() {
        try (Session session =
                Session.builder().metrics(OpenTelemetryMetrics.to(telemetry)).open()) {
            try (CloseableIterator<Batch> batches =
                    session.range(1_000).named("open").iterBatches(10)) {
                batches.next();
                assertThat(points("millrace.runs.running")).containsEntry("{}", 1.0);
                assertThat(points("millrace.operator.tasks_running")).isNotEmpty();
                batches.forEachRemaining(_ -> {});
            }
            assertThat(points("millrace.runs.running")).containsEntry("{}", 0.0);
            assertThat(points("millrace.operator.rows")).hasSize(1).containsValue(1_000.0);
            assertThat(points("millrace.operator.tasks_running")).isEmpty();
        }
    }

    @Test
    void metricsHaveTheirKindUnitAndDescription() {
        try (Session _ =
                Session.builder().metrics(OpenTelemetryMetrics.to(telemetry)).open()) {
            Map<String, MetricData> all = collect();
            MetricData limit = all.get("millrace.memory_limit_bytes");
            assertThat(limit.getType()).isEqualTo(MetricDataType.DOUBLE_GAUGE);
            assertThat(limit.getUnit()).isEqualTo("By");
            assertThat(limit.getDescription()).isEqualTo("The limit of block memory.");
            assertThat(limit.getInstrumentationScopeInfo().getName()).isEqualTo(OpenTelemetryMetrics.SCOPE);
            MetricData spilled = all.get("millrace.spilled_bytes");
            assertThat(spilled.getType()).isEqualTo(MetricDataType.DOUBLE_SUM);
            assertThat(spilled.getDoubleSumData().isMonotonic()).isTrue();
        }
    }

    @Test
    void sessionsOfOneTelemetryAreToldApartAndAClosedOneReportsNothing() {
        OpenTelemetryMetrics exporter = OpenTelemetryMetrics.to(telemetry);
        try (Session _ = Session.builder().metrics(exporter.named("one")).open()) {
            try (Session _ = Session.builder().metrics(exporter.named("two")).open()) {
                assertThat(points("millrace.nodes")).containsOnlyKeys("{session=one}", "{session=two}");
            }
            assertThat(points("millrace.nodes")).containsOnlyKeys("{session=one}");
        }
        assertThat(collect()).isEmpty();
    }

    private static Batch counted(Batch batch) {
        FunctionContext.current().count("tokens", batch.rows());
        return batch;
    }

    private Map<String, MetricData> collect() {
        return reader.collectAllMetrics().stream().collect(Collectors.toMap(MetricData::getName, metric -> metric));
    }

    /// The values of a metric by its attributes, in the order of their names.
    private Map<String, Double> points(String name) {
        MetricData metric = collect().get(name);
        Map<String, Double> values = new TreeMap<>();
        if (metric != null) {
            for (DoublePointData point : metric.getType() == MetricDataType.DOUBLE_SUM
                    ? metric.getDoubleSumData().getPoints()
                    : metric.getDoubleGaugeData().getPoints()) {
                Map<String, Object> labels = new TreeMap<>();
                point.getAttributes().forEach((key, value) -> labels.put(key.getKey(), value));
                values.put(labels.toString(), point.getValue());
            }
        }
        return values;
    }
}
