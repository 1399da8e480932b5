package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.Json;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The first runs of one workload in several engines; ours come first.
public record ColdReport(Workload workload, List<Outcome> outcomes) {
    public ColdReport {
        outcomes = List.copyOf(outcomes);
    }

    /// Whether all engines have the same result.
    public boolean agrees() {
        String ours = outcomes.getFirst().result();
        return outcomes.stream().allMatch(outcome -> workload.agree(ours, outcome.result()));
    }

    /// One JSON object on one line.
    public String toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", workload.name());
        fields.put("mode", "cold");
        fields.put("engines", outcomes.stream().map(Outcome::toFields).toList());
        fields.put("agrees", agrees());
        return Json.object(fields);
    }

    /// A short table for users.
    public String toTable() {
        StringBuilder text = new StringBuilder(workload.name() + ": " + workload.sentence() + "\n\n");
        text.append(line("", "seconds", "CPU s", "peak MB", "result", "each process, from its start to its end"));
        for (Outcome outcome : outcomes) {
            text.append(line(
                    outcome.engine(),
                    Report.number(outcome.seconds()),
                    Report.number(outcome.cpuSeconds()),
                    Long.toString(outcome.peakMb()),
                    outcome.result(),
                    outcome.all().stream().map(Report::number).collect(Collectors.joining(" "))));
        }
        text.append('\n');
        for (Outcome ours : outcomes.stream().filter(Outcome::isOurs).toList()) {
            for (Outcome theirs :
                    outcomes.stream().filter(outcome -> !outcome.isOurs()).toList()) {
                text.append(ours.engine() + " takes " + Report.number(ours.seconds() / theirs.seconds()) + " times "
                        + theirs.engine() + "'s time and "
                        + Report.number(ours.cpuSeconds() / theirs.cpuSeconds()) + " times its CPU\n");
            }
        }
        return text + (agrees() ? "The results agree" : "THE RESULTS DIFFER") + "\n";
    }

    private static String line(String... cells) {
        return String.format(Locale.ROOT, "%-15s %9s %9s %8s  %-18s %s", (Object[]) cells)
                        .stripTrailing()
                + "\n";
    }
}
