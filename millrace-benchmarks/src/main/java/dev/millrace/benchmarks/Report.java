package dev.millrace.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The measurement of one workload; with that of a peer, or null.
public record Report(
        Workload workload, Measurement ours, @Nullable OfPeer other) {
    /// What a peer took for the same work.
    public record OfPeer(Peer peer, Measurement measured) {}

    /// Measures the peer first, then Millrace in this process; never both at the same time.
    public static Report of(Workload workload, @Nullable Peer peer, BenchSettings settings) throws Exception {
        workload.prepare(settings);
        OfPeer other = peer == null ? null : new OfPeer(peer, PeerRun.of(peer, workload, settings));
        return new Report(workload, workload.measure(settings), other);
    }

    /// The time of the peer divided by ours: above 1, we are faster.
    private double ratio(Measurement theirs) {
        return theirs.seconds() / ours.seconds();
    }

    /// Whether the peer, if there is one, has the same result.
    public boolean agrees() {
        return other == null || workload.agree(ours.result(), other.measured().result());
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
        if (other != null) {
            Measurement theirs = other.measured();
            fields.put("peer", other.peer().label());
            fields.put("peer_seconds", theirs.seconds());
            fields.put("peer_rss_mb", theirs.rssMb());
            fields.put("peer_result", theirs.result());
            fields.put("peer_all_seconds", theirs.all());
            fields.put("ratio", ratio(theirs));
            fields.put("agrees", agrees());
        }
        return Json.object(fields);
    }

    /// A short table for users.
    public String toTable() {
        StringBuilder text = new StringBuilder(workload.name() + ": " + workload.sentence() + "\n\n");
        text.append(line("", "seconds", "peak MB", "result", "each time; the first two are not counted"));
        text.append(line("millrace", ours));
        if (other != null) {
            text.append(line(other.peer().label(), other.measured()));
        }
        text.append('\n');
        new TreeMap<>(ours.figures())
                .forEach((name, value) -> text.append(name.replace('_', ' ') + ": " + number(value) + "\n"));
        if (other != null) {
            text.append(number(ratio(other.measured())) + " times "
                    + other.peer().label() + "'s speed; "
                    + (agrees() ? "the results agree" : "THE RESULTS DIFFER") + "\n");
        }
        return text.toString();
    }

    private static String line(String engine, Measurement measured) {
        List<String> all = measured.all().stream().map(Report::number).toList();
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

    public static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size < 10 ? "%.3f" : size < 1000 ? "%.1f" : "%,.0f", value);
    }
}
