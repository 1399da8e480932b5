package dev.millrace.cli;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Project;
import dev.millrace.benchmarks.Report;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.cluster.ClusterBench;
import dev.millrace.benchmarks.cluster.ClusterReport;
import dev.millrace.benchmarks.python.GpuBench;
import dev.millrace.benchmarks.python.PythonBench;
import dev.millrace.benchmarks.suite.Baseline;
import dev.millrace.benchmarks.suite.BenchSuite;
import dev.millrace.benchmarks.suite.ColdBench;
import dev.millrace.benchmarks.suite.ColdReport;
import dev.millrace.benchmarks.suite.Contestant;
import dev.millrace.benchmarks.suite.Outcome;
import dev.millrace.benchmarks.suite.OwnRun;
import dev.millrace.benchmarks.suite.SuiteReport;
import dev.millrace.benchmarks.suite.SuiteResults;
import dev.millrace.benchmarks.workload.Workloads;
import dev.millrace.internal.cluster.start.WorkerArchive;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Measures a workload in this process, and on request a peer engine beside it; or the first runs of both in fresh
/// processes; or all workloads.
@Command(
        name = "bench",
        description = "Measures a workload, or all; without a name, lists them.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Seven runs in one process are usual, of which the median of the last five counts, of every engine.",
            "With --cold each engine runs in five fresh processes, in turns, from their start to their end.",
            "",
            "Examples:",
            "  millrace bench scan --data DATA --peer duckdb",
            "  millrace bench scan --data DATA --peers duckdb,polars --cold",
            "  millrace bench all --data DATA --peers duckdb,polars --cold",
            "  millrace bench all --data DATA --only scan,join --store      # later runs are compared with it",
        })
final class Bench implements Callable<Integer> {
    /// Measured by itself: it is no workload of an engine.
    private static final String PYTHON = "python";

    /// The same, with torch.
    private static final String GPU = "gpu";

    private static final String ALL = "all";

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the workload")
    private @Nullable String name;

    @Option(
            names = {"--peer", "--peers"},
            paramLabel = "PEER",
            split = ",",
            description = "also measure: ray, daft, polars, duckdb, pyarrow, spark, plain, torch; several with"
                    + " --cold or all")
    private List<String> peerNames = List.of();

    @Option(names = "--cold", description = "measure the first runs, in fresh processes")
    private boolean cold;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "with all: these workloads instead of every one")
    private List<String> only = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "with all: where the report goes (default: build/bench of the source folder)")
    private @Nullable Path reports;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "with all: results.tsv of an earlier run to compare with (default: baseline.tsv beside the"
                    + " report, if --store has written it)")
    private @Nullable Path baseline;

    @Option(names = "--store", description = "with all: store the results as the baseline of later runs")
    private boolean store;

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
            description = "runs in one process, of which the first two are not counted (default: 7); with --cold the"
                    + " number of processes (default: 5)")
    private @Nullable Integer times;

    @Option(names = "--json", description = "print one JSON object and nothing else")
    private boolean json;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "with gpu: cuda, or cpu to try the measurement where there is no GPU (default: cuda)")
    private String device = "cuda";

    @Option(
            names = "--decode",
            paramLabel = "PLACE",
            description = "with gpu: who decodes images, tasks on CPUs (cpu) or the model's worker (device: nvJPEG on a"
                    + " GPU) (default: cpu)")
    private String decode = "cpu";

    @Option(
            names = "--python",
            paramLabel = "PYTHON",
            description = "with gpu: an interpreter that has torch and pyarrow (default: the one of tools/python-env"
                    + " torch)")
    private @Nullable String python;

    @Option(names = "--scale", defaultValue = "1", hidden = true)
    private double scale;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            for (Workload workload : Workloads.all()) {
                out.printf(Locale.ROOT, "%-14s %s%n", workload.name(), workload.sentence());
            }
            out.printf(Locale.ROOT, "%-14s %s%n", ALL, "all of them, with a report in files");
            out.printf(Locale.ROOT, "%-14s %s%n", PYTHON, "the way to a Python function and back, alone");
            out.printf(
                    Locale.ROOT, "%-14s %s%n", GPU, "JPEG files to labels by a model in Python, and the model alone");
            out.flush();
            return 0;
        }
        List<Peer> peers = peerNames.stream().map(this::peer).toList();
        if (name.equals(ALL)) {
            return all(peers);
        }
        if (!cold && peers.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "several peers are measured with --cold, or by 'millrace bench all'.");
        }
        Peer peer = peers.isEmpty() ? null : peers.getFirst();
        if (name.equals(PYTHON)) {
            new PythonBench(scale, out).run(peer);
            return 0;
        }
        if (name.equals(GPU)) {
            gpu(out);
            return 0;
        }
        Workload workload = workload(name);
        BenchSettings settings = settings();
        try {
            for (Peer each : peers) {
                each.require(workload);
            }
            if (cold) {
                ColdBench.check(workload);
            }
        } catch (BenchFailure e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        if (cold) {
            List<Contestant> contestants = ours();
            contestants.addAll(Contestant.of(peers));
            ColdReport report = ColdBench.run(workload, settings, contestants, rounds());
            out.print(json ? report.toJson() + "\n" : report.toTable());
            out.flush();
            return report.agrees() ? 0 : 1;
        }
        if (cluster != null) {
            return onCluster(workload, settings, cluster, peer);
        }
        Report report = Report.of(workload, peer, settings);
        out.print(json ? report.toJson() + "\n" : report.toTable());
        out.flush();
        return report.agrees() ? 0 : 1;
    }

    private void gpu(PrintWriter out) throws Exception {
        GpuBench.Options options;
        try {
            options = new GpuBench.Options(device, decode, python);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        new GpuBench(options, scale, out).run();
    }

    /// Every workload, or those of --only, with a report in files.
    private int all(List<Peer> peers) throws Exception {
        List<Workload> workloads = new ArrayList<>();
        for (Workload workload : Workloads.all()) {
            if (only.isEmpty() && BenchSuite.reasonAlone(workload).isEmpty()) {
                workloads.add(workload);
            }
        }
        only.forEach(each -> workloads.add(workload(each)));
        Path folder = reports != null ? reports : Project.root().resolve("build/bench");
        Path stored = baseline != null ? baseline : folder.resolve("baseline.tsv");
        if (baseline != null && !Files.exists(stored)) {
            throw new ParameterException(spec.commandLine(), "there is no baseline " + stored + ".");
        }
        List<Outcome> before = Files.exists(stored) ? Baseline.read(stored) : null;
        Map<Peer, Contestant> contestants = new EnumMap<>(Peer.class);
        for (Peer peer : peers) {
            contestants.put(peer, Contestant.of(peer));
        }
        PrintWriter out = spec.commandLine().getOut();
        String load = SuiteReport.load();
        SuiteResults results = new BenchSuite(settings(), ours(), contestants, cold ? rounds() : 0, line -> {
                    out.println(line);
                    out.flush();
                })
                .run(workloads);
        SuiteReport.write(folder, results, before, peers, load);
        if (store) {
            Baseline.write(folder.resolve("baseline.tsv"), results.outcomes());
        }
        results.differences().forEach(out::println);
        out.println("The report: " + folder.resolve(SuiteReport.PAGE));
        out.flush();
        return results.differences().isEmpty() ? 0 : 1;
    }

    /// Millrace as a user's program runs it, and with the command's archive if there is one.
    private static List<Contestant> ours() {
        List<Contestant> ours = new ArrayList<>();
        List<String> java = OwnRun.java(RunProgram.flags());
        ours.add(Contestant.ours(Contestant.OURS, java));
        String archive = RunProgram.archive();
        if (archive != null) {
            List<String> cached = new ArrayList<>(java);
            cached.add(WorkerArchive.OPTION + archive);
            ours.add(Contestant.ours(Contestant.CACHED, cached));
        }
        return ours;
    }

    private int rounds() {
        return times == null ? ColdBench.ROUNDS : times;
    }

    private Workload workload(String asked) {
        return Workloads.find(asked).orElseThrow(() -> unknown("workload", asked, names()));
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
        ClusterReport report = new ClusterBench(workload, settings, OwnRun.java(RunProgram.flags()))
                .run(where, peer, sentence -> {
                    err.println(sentence);
                    err.flush();
                });
        out.print(json ? report.toJson() + "\n" : report.toTable());
        out.flush();
        return report.agrees() ? 0 : 1;
    }

    private BenchSettings settings() {
        try {
            return new BenchSettings(times == null ? BenchSettings.TIMES : times, scale, data);
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
