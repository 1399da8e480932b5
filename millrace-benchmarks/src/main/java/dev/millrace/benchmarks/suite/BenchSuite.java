package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Measures many workloads, each engine in processes of its own. What one engine cannot do is noted and does not end
/// the others.
public final class BenchSuite {
    /// Workloads that say little beside others, or need other data, and why.
    private static final Map<String, String> ALONE = Map.of(
            "start", "it starts processes by itself",
            "sort-large", "its data is ten times as large",
            "join-large", "its data is ten times as large",
            "straggler", "it needs a cluster",
            "straggler-actors", "it needs a cluster",
            "connect", "it needs a cluster");

    private final BenchSettings settings;
    private final List<Contestant> ours;
    private final Map<Peer, Contestant> peers;
    private final int rounds;
    private final Consumer<String> progress;
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();
    private final List<SuiteResults.Failure> failures = new ArrayList<>();

    /// @param ours the first is measured warm and cold, the others only cold
    /// @param rounds fresh processes of each engine and workload, 0 to measure warm runs only
    /// @param progress hears a line about each workload
    public BenchSuite(
            BenchSettings settings,
            List<Contestant> ours,
            Map<Peer, Contestant> peers,
            int rounds,
            Consumer<String> progress) {
        this.settings = settings;
        this.ours = List.copyOf(ours);
        this.peers = new EnumMap<>(Peer.class);
        this.peers.putAll(peers);
        this.rounds = rounds;
        this.progress = progress;
    }

    /// Why a workload is only measured by its own name, or nothing if it is measured with all others.
    public static String reasonAlone(Workload workload) {
        return ALONE.getOrDefault(workload.name(), "");
    }

    /// Measures them in this order.
    public SuiteResults run(List<Workload> workloads) throws Exception {
        for (Workload workload : workloads) {
            try {
                workload.prepare(settings);
            } catch (BenchFailure | MillraceException e) {
                failures.add(new SuiteResults.Failure(
                        workload.name(), ours.getFirst().label(), sentence(e)));
                progress.accept(workload.name() + ": " + sentence(e));
                continue;
            }
            List<Contestant> theirs = peers.entrySet().stream()
                    .filter(peer -> peer.getKey().has(workload))
                    .map(Map.Entry::getValue)
                    .toList();
            measure(workload, theirs);
        }
        return new SuiteResults(outcomes, differences, failures);
    }

    private void measure(Workload workload, List<Contestant> theirs) throws Exception {
        List<Outcome> warm = new ArrayList<>();
        List<Contestant> finished = new ArrayList<>();
        for (Contestant contestant : with(ours.subList(0, 1), theirs)) {
            try {
                warm.add(Outcome.warm(
                        workload.name(),
                        contestant.label(),
                        contestant.fresh().run(workload, settings, settings.times())));
                finished.add(contestant);
            } catch (BenchFailure e) {
                failures.add(new SuiteResults.Failure(workload.name(), contestant.label(), sentence(e)));
                progress.accept(workload.name() + ": " + sentence(e));
                if (contestant.isOurs()) {
                    return;
                }
            }
        }
        add(workload, warm);
        if (rounds > 0) {
            finished.addAll(1, ours.subList(1, ours.size()));
            try {
                add(
                        workload,
                        ColdBench.run(workload, settings, finished, rounds).outcomes());
            } catch (BenchFailure e) {
                failures.add(new SuiteResults.Failure(workload.name(), "the first runs", sentence(e)));
                progress.accept(workload.name() + ": " + sentence(e));
            }
        }
    }

    private void add(Workload workload, List<Outcome> measured) {
        outcomes.addAll(measured);
        StringBuilder line = new StringBuilder(workload.name())
                .append(measured.getFirst().mode() == Outcome.Mode.COLD ? " (first run): " : ": ");
        String expected = measured.getFirst().result();
        for (Outcome outcome : measured) {
            line.append(outcome.engine())
                    .append(' ')
                    .append(Report.number(outcome.seconds()))
                    .append(" s, ");
            if (!workload.agree(expected, outcome.result())) {
                differences.add("'" + workload.name() + "': " + outcome.engine() + " has " + outcome.result() + ", "
                        + measured.getFirst().engine() + " " + expected + ".");
            }
        }
        line.setLength(line.length() - 2);
        progress.accept(line.toString());
    }

    private static List<Contestant> with(List<Contestant> some, List<Contestant> others) {
        List<Contestant> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static String sentence(Exception e) {
        return String.valueOf(e.getMessage());
    }
}
