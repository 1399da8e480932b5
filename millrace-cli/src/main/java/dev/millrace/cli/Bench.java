package dev.millrace.cli;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.workload.Workloads;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Measures a workload in this process, and on request a peer engine beside it.
@Command(
        name = "bench",
        description = "Measures a workload; without a name, lists them.",
        mixinStandardHelpOptions = true)
final class Bench implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the workload")
    private @Nullable String name;

    @Option(
            names = "--peer",
            paramLabel = "PEER",
            description = "also measure: ray, daft, polars, duckdb, pyarrow, spark, plain")
    private @Nullable String peerName;

    @Option(names = "--data", paramLabel = "DIR", description = "input files, for the workloads that read some")
    private @Nullable Path data;

    @Option(
            names = "--times",
            paramLabel = "N",
            description = "runs in one process (default: 3; 10 or 20 of a workload that takes a fraction of a second)")
    private @Nullable Integer times;

    @Option(names = "--json", description = "print one JSON object and nothing else")
    private boolean json;

    @Option(names = "--scale", defaultValue = "1", hidden = true)
    private double scale;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            for (Workload workload : Workloads.all()) {
                out.printf(Locale.ROOT, "%-14s %s%n", workload.name(), workload.sentence());
            }
            out.flush();
            return 0;
        }
        String asked = name;
        Workload workload = Workloads.find(asked).orElseThrow(() -> unknown("workload", asked, names()));
        Peer peer = peerName == null ? null : peer(peerName);
        BenchSettings settings = settings(workload);
        if (peer != null) {
            try {
                peer.require(workload);
            } catch (BenchFailure e) {
                throw new ParameterException(spec.commandLine(), e.getMessage());
            }
        }
        Report report = Report.of(workload, peer, settings);
        out.print(json ? report.toJson() + "\n" : report.toTable());
        out.flush();
        return peer == null || report.agrees() ? 0 : 1;
    }

    private BenchSettings settings(Workload workload) {
        try {
            return new BenchSettings(times == null ? workload.usualTimes() : times, scale, data);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private Peer peer(String label) {
        return Arrays.stream(Peer.values())
                .filter(peer -> peer.label().equals(label))
                .findFirst()
                .orElseThrow(() ->
                        unknown("peer", label, Arrays.stream(Peer.values()).map(Peer::label)));
    }

    private static Stream<String> names() {
        return Workloads.all().stream().map(Workload::name);
    }

    private ParameterException unknown(String kind, String word, Stream<String> words) {
        List<String> known = words.toList();
        List<String> near = Suggestions.nearest(word, known.stream());
        String hint = near.isEmpty()
                ? "Choose one of " + String.join(", ", known) + "."
                : "Did you mean " + String.join(" or ", near) + "?";
        return new ParameterException(spec.commandLine(), "there is no " + kind + " '" + word + "'. " + hint);
    }
}
