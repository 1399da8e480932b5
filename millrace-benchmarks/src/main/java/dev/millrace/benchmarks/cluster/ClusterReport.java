package dev.millrace.benchmarks.cluster;

import dev.millrace.benchmarks.Json;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A workload in one process, on a cluster and, if asked for, in Ray Data on a cluster of Ray. Of several runs the
/// least seconds and the least CPU seconds count; they may be of two runs.
public record ClusterReport(
        Workload workload,
        String cluster,
        MeasuredProcess embedded,
        MeasuredProcess ours,
        @Nullable MeasuredProcess ray) {

    static double least(List<Double> values) {
        return values.isEmpty() ? Double.NaN : Collections.min(values);
    }

    /// The CPU seconds on the cluster divided by those in one process.
    public double cpuAgainstEmbedded() {
        return least(ours.cpuSeconds()) / least(embedded.cpuSeconds());
    }

    public double secondsAgainstEmbedded() {
        return least(ours.seconds()) / least(embedded.seconds());
    }

    /// Whether all have the same result.
    public boolean agrees() {
        return workload.agree(ours.result(), embedded.result())
                && (ray == null || workload.agree(ours.result(), ray.result()));
    }

    /// One JSON object on one line.
    public String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", workload.name());
        fields.put("cluster", cluster);
        fields.put("result", ours.result());
        put(fields, "", ours);
        put(fields, "embedded_", embedded);
        fields.put("cpu_against_embedded", cpuAgainstEmbedded());
        fields.put("seconds_against_embedded", secondsAgainstEmbedded());
        if (ray != null) {
            fields.put("peer", "ray");
            fields.put("peer_result", ray.result());
            put(fields, "peer_", ray);
            fields.put("ratio", least(ray.seconds()) / least(ours.seconds()));
            fields.put("cpu_ratio", least(ray.cpuSeconds()) / least(ours.cpuSeconds()));
        }
        fields.put("agrees", agrees());
        return Json.object(fields);
    }

    private static void put(Map<String, Object> fields, String prefix, MeasuredProcess measured) {
        fields.put(prefix + "seconds", least(measured.seconds()));
        fields.put(prefix + "cpu_seconds", least(measured.cpuSeconds()));
        fields.put(prefix + "peak_mb", measured.peakMb());
        fields.put(prefix + "all_seconds", measured.seconds());
        fields.put(prefix + "all_cpu_seconds", measured.cpuSeconds());
    }

    /// A short table for users.
    public String toTable() {
        StringBuilder text = new StringBuilder(workload.name() + ": " + workload.sentence() + "\n\n");
        text.append(line("", "seconds", "CPU s", "peak MB", "result", "each time: seconds (CPU seconds)"));
        text.append(line("embedded", embedded));
        text.append(line(cluster, ours));
        if (ray != null) {
            text.append(line("ray data", ray));
        }
        text.append("\nAgainst one process: " + Report.number(cpuAgainstEmbedded()) + " times the CPU, "
                + Report.number(secondsAgainstEmbedded()) + " times the seconds\n");
        if (ray != null) {
            text.append("Against Ray Data: " + Report.number(least(ray.seconds()) / least(ours.seconds()))
                    + " times its speed, its CPU is "
                    + Report.number(least(ray.cpuSeconds()) / least(ours.cpuSeconds())) + " times ours\n");
        }
        return text + (agrees() ? "The results agree" : "THE RESULTS DIFFER") + "\n";
    }

    private static String line(String engine, MeasuredProcess measured) {
        StringBuilder each = new StringBuilder();
        for (int i = 0; i < measured.seconds().size(); i++) {
            each.append(' ').append(Report.number(measured.seconds().get(i)));
            if (i < measured.cpuSeconds().size()) {
                each.append(" (")
                        .append(Report.number(measured.cpuSeconds().get(i)))
                        .append(')');
            }
        }
        return line(
                engine,
                Report.number(least(measured.seconds())),
                Report.number(least(measured.cpuSeconds())),
                Long.toString(measured.peakMb()),
                measured.result(),
                each.toString().strip());
    }

    private static String line(String... cells) {
        List<String> widths = List.of("%-10s", "%9s", "%9s", "%8s", " %-18s", "%s");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            text.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, widths.get(i), cells[i]));
        }
        return text.toString().stripTrailing() + "\n";
    }
}
