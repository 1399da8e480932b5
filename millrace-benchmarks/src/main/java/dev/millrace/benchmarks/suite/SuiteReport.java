package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The results of many workloads as a Markdown page with images beside it: where we lose stands first.
public final class SuiteReport {
    /// The name of the page in its folder.
    public static final String PAGE = "report.md";

    /// The outcomes, as [Baseline] writes them.
    public static final String RESULTS = "results.tsv";

    /// From how many times a baseline's time on a change is marked.
    private static final double CHANGED = 1.1;

    private final SuiteResults results;
    private final @Nullable List<Outcome> baseline;
    private final List<String> machine;

    /// @param baseline outcomes of an earlier run, or null
    /// @param machine lines about it
    SuiteReport(SuiteResults results, @Nullable List<Outcome> baseline, List<String> machine) {
        this.results = results;
        this.baseline = baseline;
        this.machine = List.copyOf(machine);
    }

    /// Writes the page, its images and the outcomes into the folder.
    ///
    /// @param loadBefore the load of the machine before the run
    public static void write(
            Path folder, SuiteResults results, @Nullable List<Outcome> baseline, List<Peer> peers, String loadBefore)
            throws IOException {
        Files.createDirectories(folder);
        List<String> machine = new ArrayList<>(Machine.lines(peers));
        machine.add("load of the last minute: " + loadBefore + " before the run, " + Machine.load() + " after it");
        SuiteReport report = new SuiteReport(results, baseline, machine);
        Files.writeString(folder.resolve(PAGE), report.markdown());
        for (Outcome.Mode mode : Outcome.Mode.values()) {
            if (!results.of(mode).isEmpty()) {
                Files.writeString(
                        folder.resolve(image("time", mode)), report.chart(title(mode), "s", mode, Outcome::seconds));
                Files.writeString(
                        folder.resolve(image("memory", mode)),
                        report.chart("peak memory, " + title(mode), "MB", mode, Outcome::peakMb));
            }
        }
        Baseline.write(folder.resolve(RESULTS), results.outcomes());
    }

    /// The load of the machine now, for [#write].
    public static String load() {
        return Machine.load();
    }

    String markdown() {
        StringBuilder page = new StringBuilder("# Benchmarks\n\n");
        machine.forEach(line -> page.append("- ").append(line).append('\n'));
        page.append("""

                Warm is the median of the runs in one process after the first two, of all engines; a first run is a fresh
                process from its start to its end, the median of several in turns. Ratios are our time by theirs: above 1
                we are slower.
                """);
        for (Outcome.Mode mode : Outcome.Mode.values()) {
            if (!results.of(mode).isEmpty()) {
                summary(page, mode);
                table(page, mode);
            }
        }
        changes(page);
        list(page, "Results that differ", results.differences());
        list(
                page,
                "Not measured",
                results.failures().stream()
                        .map(failure -> failure.workload() + ", " + failure.engine() + ": " + failure.sentence())
                        .toList());
        return page.toString();
    }

    private void summary(StringBuilder page, Outcome.Mode mode) {
        page.append("\n## ").append(title(mode)).append("\n\n");
        List<String> ours = results.engines(mode).stream()
                .filter(engine -> engine.startsWith(Contestant.OURS))
                .toList();
        for (String engine : ours) {
            for (String other : results.engines(mode)) {
                OptionalDouble mean = meanRatio(mode, engine, List.of(other));
                if (!other.startsWith(Contestant.OURS) && mean.isPresent()) {
                    page.append(engine + " takes " + Report.number(mean.getAsDouble()) + " times " + other
                            + "'s time in the geometric mean.\n");
                }
            }
            List<String> others = results.engines(mode).stream()
                    .filter(other -> !other.startsWith(Contestant.OURS))
                    .toList();
            OptionalDouble best = meanRatio(mode, engine, others);
            if (others.size() > 1 && best.isPresent()) {
                page.append(engine + " takes " + Report.number(best.getAsDouble())
                        + " times that of the best of them for each workload.\n");
            }
        }
        List<String> lost = new ArrayList<>();
        for (String workload : results.workloads(mode)) {
            ratio(workload, mode, Contestant.OURS).ifPresent(ratio -> {
                if (ratio > 1) {
                    lost.add(workload + " " + Report.number(ratio));
                }
            });
        }
        page.append(
                lost.isEmpty()
                        ? ""
                        : "\nSlower than the best of the others: " + String.join(", ", lost) + " (times its time).\n");
    }

    /// Our time by that of the best peer; empty if no peer has done the workload.
    private OptionalDouble ratio(String workload, Outcome.Mode mode, String ours) {
        return ratio(
                workload,
                mode,
                ours,
                results.engines(mode).stream()
                        .filter(engine -> !engine.startsWith(Contestant.OURS))
                        .toList());
    }

    private OptionalDouble ratio(String workload, Outcome.Mode mode, String ours, List<String> others) {
        OptionalDouble best = others.stream()
                .flatMap(other -> results.find(workload, mode, other).stream())
                .mapToDouble(Outcome::seconds)
                .min();
        return best.isEmpty()
                ? OptionalDouble.empty()
                : results.find(workload, mode, ours).stream()
                        .mapToDouble(outcome -> outcome.seconds() / best.getAsDouble())
                        .findFirst();
    }

    private OptionalDouble meanRatio(Outcome.Mode mode, String ours, List<String> others) {
        OptionalDouble logarithm = results.workloads(mode).stream()
                .map(workload -> ratio(workload, mode, ours, others))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(ratio -> Math.log(ratio.getAsDouble()))
                .average();
        return logarithm.isEmpty() ? logarithm : OptionalDouble.of(Math.exp(logarithm.getAsDouble()));
    }

    private void table(StringBuilder page, Outcome.Mode mode) {
        List<String> engines = results.engines(mode);
        page.append("\nSeconds, CPU seconds, peak MB:\n\n| workload |");
        engines.forEach(engine -> page.append(' ').append(engine).append(" |"));
        page.append(" our ratio to the best other |\n|---|")
                .append("---|".repeat(engines.size() + 1))
                .append('\n');
        for (String workload : results.workloads(mode)) {
            page.append("| ").append(workload).append(" |");
            for (String engine : engines) {
                page.append(' ')
                        .append(results.find(workload, mode, engine)
                                .map(SuiteReport::cell)
                                .orElse(""))
                        .append(" |");
            }
            OptionalDouble ratio = ratio(workload, mode, Contestant.OURS);
            page.append(' ')
                    .append(ratio.isPresent() ? Report.number(ratio.getAsDouble()) : "")
                    .append(" |\n");
        }
        page.append("\n![time](" + image("time", mode) + ")\n![memory](" + image("memory", mode) + ")\n");
    }

    private static String cell(Outcome outcome) {
        return Report.number(outcome.seconds()) + ", "
                + (Double.isNaN(outcome.cpuSeconds()) ? "?" : Report.number(outcome.cpuSeconds())) + ", "
                + outcome.peakMb();
    }

    /// Our outcomes beside those of the baseline. What a peer took then and now tells how much the machine differs.
    private void changes(StringBuilder page) {
        if (baseline == null) {
            return;
        }
        page.append("""

                ## Against the baseline

                | workload | runs | engine | seconds then | now | times | MB then | now |
                |---|---|---|---|---|---|---|---|
                """);
        for (Outcome then : baseline) {
            results.find(then.workload(), then.mode(), then.engine()).ifPresent(now -> {
                double times = now.seconds() / then.seconds();
                String mark = times > CHANGED ? " slower" : times < 1 / CHANGED ? " faster" : "";
                page.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %s | %s | %s | %s%s | %d | %d |%n",
                        then.workload(),
                        then.mode().name().toLowerCase(Locale.ROOT),
                        then.engine(),
                        Report.number(then.seconds()),
                        Report.number(now.seconds()),
                        Report.number(times),
                        mark,
                        then.peakMb(),
                        now.peakMb()));
            });
        }
    }

    private static void list(StringBuilder page, String heading, List<String> lines) {
        if (!lines.isEmpty()) {
            page.append("\n## ").append(heading).append("\n\n");
            lines.forEach(line -> page.append("- ").append(line).append('\n'));
        }
    }

    private String chart(String title, String unit, Outcome.Mode mode, ToDoubleFunction<Outcome> value) {
        Map<String, Map<String, Double>> series = new LinkedHashMap<>();
        for (Outcome outcome : results.of(mode)) {
            series.computeIfAbsent(outcome.engine(), _ -> new LinkedHashMap<>())
                    .put(outcome.workload(), value.applyAsDouble(outcome));
        }
        return BarChart.svg(title, unit, results.workloads(mode), series);
    }

    private static String image(String what, Outcome.Mode mode) {
        return what + "-" + mode.name().toLowerCase(Locale.ROOT) + ".svg";
    }

    private static String title(Outcome.Mode mode) {
        return switch (mode) {
            case COLD -> "First runs";
            case WARM -> "Warm runs";
        };
    }
}
