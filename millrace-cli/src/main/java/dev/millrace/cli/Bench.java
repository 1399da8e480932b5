package dev.millrace.cli;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.cluster.ClusterBench;
import dev.millrace.benchmarks.cluster.ClusterReport;
import dev.millrace.benchmarks.python.PythonBench;
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
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace bench                                  # the workloads",
            "  millrace bench range",
            "  millrace bench scan --data DATA --peer duckdb --times 10",
        })
final class Bench implements Callable<Integer> {
    /// Measured by itself: it is no workload of an engine.
    private static final String PYTHON = "python";

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the workload")
    private @Nullable String name;

    @Option(
            names = "--peer",
            paramLabel = "PEER",
            description = "also measure: ray, daft, polars, duckdb, pyarrow, spark, plain, torch")
    private @Nullable String peerName;

    @Option(
            names = "--cluster",
            paramLabel = "CLUSTER",
            description = "measure it on a cluster of this machine too, with the CPU time of all processes: local:3, or"
                    + " ray, the one of 'millrace cluster up' or else one of its own")
    private @Nullable String cluster;

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
            out.printf(Locale.ROOT, "%-14s %s%n", PYTHON, "the way to a Python function and back, alone");
            out.flush();
            return 0;
        }
        if (name.equals(PYTHON)) {
            new PythonBench(scale, out).run(peerName == null ? null : peer(peerName));
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
        if (cluster != null) {
            return onCluster(workload, settings, cluster, peer);
        }
        Report report = Report.of(workload, peer, settings);
        out.print(json ? report.toJson() + "\n" : report.toTable());
        out.flush();
        return report.agrees() ? 0 : 1;
    }

    private int onCluster(Workload workload, BenchSettings settings, String where, @Nullable Peer peer)
            throws Exception {
        try {
            ClusterBench.check(workload, where, peer);
        } catch (BenchFailure e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        ClusterReport report = new ClusterBench(workload, settings, ClusterBench.java(RunProgram.flags()))
                .run(where, peer, sentence -> {
                    err.println(sentence);
                    err.flush();
                });
        out.print(json ? report.toJson() + "\n" : report.toTable());
        out.flush();
        return report.agrees() ? 0 : 1;
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
