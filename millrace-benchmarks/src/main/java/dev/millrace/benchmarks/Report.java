package dev.millrace.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The measurement of one workload; with that of a peer, or null.
public record Report(Workload workload, Measurement ours, Peer peer, Measurement theirs) {
    /// Measures the peer first, then Millrace in this process; never both at the same time.
    public static Report of(Workload workload, Peer peer, BenchSettings settings) throws Exception {
        workload.prepare(settings);
        Measurement theirs = peer == null ? null : PeerRun.of(peer, workload, settings);
        return new Report(workload, workload.measure(settings), peer, theirs);
    }

    /// The time of the peer divided by ours: above 1, we are faster.
    public double ratio() {
        return theirs.seconds() / ours.seconds();
    }

    public boolean agrees() {
        return workload.agree(ours.result(), theirs.result());
    }

    /// One JSON object on one line.
    public String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", workload.name());
        fields.put("seconds", ours.seconds());
        fields.put("rss_mb", ours.rssMb());
        fields.put("result", ours.result());
        fields.put("all_seconds", ours.all());
        fields.putAll(new TreeMap<>(ours.figures()));
        if (peer != null) {
            fields.put("peer", peer.label());
            fields.put("peer_seconds", theirs.seconds());
            fields.put("peer_rss_mb", theirs.rssMb());
            fields.put("peer_result", theirs.result());
            fields.put("peer_all_seconds", theirs.all());
            fields.put("ratio", ratio());
            fields.put("agrees", agrees());
        }
        return Json.object(fields);
    }

    /// A short table for users.
    public String toTable() {
        StringBuilder text = new StringBuilder(workload.name() + ": " + workload.sentence() + "\n\n");
        text.append(line("", "seconds", "peak MB", "result", "each time (the first is cold)"));
        text.append(line("millrace", ours));
        if (peer != null) {
            text.append(line(peer.label(), theirs));
        }
        text.append('\n');
        new TreeMap<>(ours.figures())
                .forEach((name, value) -> text.append(name.replace('_', ' ') + ": " + number(value) + "\n"));
        if (peer != null) {
            text.append(number(ratio()) + " times " + peer.label() + "'s speed; "
                    + (agrees() ? "the results agree" : "THE RESULTS DIFFER") + "\n");
        }
        return text.toString();
    }

    private static String line(String engine, Measurement measured) {
        List<String> all = measured.all().stream()
                .map(seconds -> seconds == measured.seconds() ? number(seconds) + "*" : number(seconds))
                .toList();
        return line(
                engine,
                number(measured.seconds()),
                Long.toString(measured.rssMb()),
                measured.result(),
                all.stream().collect(Collectors.joining(" ")));
    }

    private static String line(String engine, String seconds, String memory, String result, String all) {
        return String.format(Locale.ROOT, "%-10s %9s %8s  %-18s %s", engine, seconds, memory, result, all)
                        .stripTrailing()
                + "\n";
    }

    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size < 10 ? "%.3f" : size < 1000 ? "%.1f" : "%,.0f", value);
    }
}
