package dev.millrace.benchmarks.cluster;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.PeerRun;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.suite.OwnRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Measures a workload in one process, on a cluster, and in Ray Data on a cluster of Ray: one after the other, each in
/// processes of its own.
public final class ClusterBench {
    private static final List<String> WORKLOADS = List.of(
            "range",
            "rows",
            "tiny",
            "connect",
            "straggler",
            "straggler-actors",
            "lost-worker",
            "scan",
            "read",
            "csv",
            "json",
            "etl",
            "sort",
            "shuffle",
            "groupby",
            "groupby-mean",
            "groupby-high",
            "join",
            "join-left",
            "images");

    /// Ray Data takes seconds for what takes us a fraction of one, and has no compiler that must warm up.
    private static final int PEER_TIMES = 3;

    private final Workload workload;
    private final BenchSettings settings;
    private final List<String> java;

    /// @param java the command that starts Java with the flags of this process
    public ClusterBench(Workload workload, BenchSettings settings, List<String> java) {
        this.workload = workload;
        this.settings = settings;
        this.java = List.copyOf(java);
    }

    /// @throws BenchFailure a sentence, if this cannot be measured
    public static void check(Workload workload, String cluster, @Nullable Peer peer) throws BenchFailure {
        if (!WORKLOADS.contains(workload.name())) {
            throw new BenchFailure("'" + workload.name() + "' is not measured on clusters. Choose one of "
                    + String.join(", ", WORKLOADS) + ".");
        }
        if (peer != null && peer != Peer.RAY) {
            throw new BenchFailure(
                    "on a cluster the only peer is ray, not " + peer.label() + ": the others run in one process.");
        }
        BenchCluster.check(cluster);
    }

    /// Measures; `progress` hears a sentence before something that takes long.
    public ClusterReport run(String label, @Nullable Peer peer, Consumer<String> progress) throws Exception {
        check(workload, label, peer);
        workload.prepare(settings);
        MeasuredProcess theirs = null;
        MeasuredProcess embedded;
        MeasuredProcess ours;
        try (BenchCluster cluster = BenchCluster.open(label, peer != null, progress)) {
            if (peer != null) {
                theirs = new PeerRun(peer, workload, settings)
                        .run(
                                cluster.peerPython(),
                                Math.min(PEER_TIMES, settings.times()),
                                cluster.peerVariables(),
                                cluster::peerProcesses);
            }
            embedded = ours("millrace in one process", null);
            ours = ours("millrace on " + label, cluster);
        }
        return new ClusterReport(workload, label, embedded, ours, theirs);
    }

    private MeasuredProcess ours(String name, @Nullable BenchCluster cluster)
            throws IOException, InterruptedException, BenchFailure {
        List<String> command = new ArrayList<>(java);
        if (cluster != null) {
            command.addAll(cluster.javaFlags());
        }
        return new OwnRun(command, workload, settings)
                .run(name, settings.times(), () -> cluster == null ? Set.<ProcessHandle>of() : cluster.processes());
    }
}
