package dev.millrace.internal.dashboard;

import dev.millrace.stats.MetricFamily;
import java.util.List;
import java.util.Map;

/// Metrics in Prometheus' text format: dots of names become underscores, and counters end in `_total`.
final class PrometheusText {
    private final StringBuilder text = new StringBuilder();

    private PrometheusText() {}

    static String of(List<MetricFamily> families) {
        PrometheusText all = new PrometheusText();
        families.forEach(all::family);
        return all.text.toString();
    }

    private void family(MetricFamily family) {
        String name = name(family);
        text.append("# HELP ")
                .append(name)
                .append(' ')
                .append(family.description())
                .append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type(family)).append('\n');
        family.samples().forEach(sample -> line(name, sample.labels(), sample.value()));
    }

    private static String name(MetricFamily family) {
        String name = family.name().replace('.', '_');
        return switch (family.kind()) {
            case COUNTER -> name + "_total";
            case GAUGE -> name;
        };
    }

    private static String type(MetricFamily family) {
        return switch (family.kind()) {
            case COUNTER -> "counter";
            case GAUGE -> "gauge";
        };
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
