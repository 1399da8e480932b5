package dev.millrace.benchmarks.cluster;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.PeerRun;
import dev.millrace.internal.ray.local.LocalRayCluster;
import dev.millrace.internal.ray.local.RayEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A cluster of this machine: `local:N` processes, or Ray.
///
/// @param label as it was asked for
/// @param address for a session
/// @param ray the cluster of Ray, also beside local processes if a peer needs it; null without
/// @param own the state folder of a cluster of Ray that was started for the bench; null if another one is used
record BenchCluster(
        String label,
        String address,
        @Nullable LocalRayCluster ray,
        @Nullable Path own) implements AutoCloseable {
    private static final String STATE = "millrace.cluster.state";
    private static final int NODES = 3;

    /// Bytes of Ray's object store on each node, for Ray Data: it keeps all blocks there.
    private static final long OBJECT_STORE = 1536L << 20;

    /// Whether a word may be a cluster.
    ///
    /// @throws BenchFailure a sentence, if not
    static void check(String label) throws BenchFailure {
        if (!label.equals("ray") && !label.matches("local:[1-9][0-9]{0,2}")) {
            throw new BenchFailure("a workload is measured on a cluster of this machine, local:N or ray, not on '"
                    + label + "': the CPU time of all processes is counted, which other machines do not tell.");
        }
    }

    /// Starts what does not run; the processes of `local:N` begin with each session.
    static BenchCluster open(String label, boolean peer, Consumer<String> progress)
            throws BenchFailure, IOException, InterruptedException {
        check(label);
        if (!label.equals("ray") && !peer) {
            return new BenchCluster(label, label, null, null);
        }
        LocalRayCluster running =
                LocalRayCluster.find(LocalRayCluster.defaultState()).orElse(null);
        Path own = null;
        if (running == null) {
            own = Files.createTempDirectory("millrace-ray-bench");
            RayEnvironment environment = peer
                    ? RayEnvironment.of(PeerRun.environment(Peer.RAY))
                    : RayEnvironment.inFolder(LocalRayCluster.defaultState(), basePython(), progress);
            progress.accept(
                    "Starting Ray " + environment.version() + " with " + NODES + " nodes, some seconds each...");
            running = LocalRayCluster.up(own, environment, new LocalRayCluster.Shape(NODES, 1, 0, OBJECT_STORE, false));
        } else if (running.running().size() < running.nodes().size()) {
            throw new BenchFailure("of the " + running.nodes().size() + " nodes of the Ray cluster at " + running.url()
                    + " only " + running.running().size()
                    + " run. 'millrace cluster down' removes it; without one the bench starts its own.");
        }
        return new BenchCluster(label, label.equals("ray") ? running.url() : label, running, own);
    }

    private static String basePython() {
        return Objects.requireNonNullElse(System.getenv("MILLRACE_PYTHON"), "python3");
    }

    /// What Java must be told for its sessions to be here.
    List<String> javaFlags() {
        return own == null
                ? List.of("-D" + Session.CLUSTER + "=" + address)
                : List.of("-D" + Session.CLUSTER + "=" + address, "-D" + STATE + "=" + own);
    }

    /// The processes that are not descendants of the program.
    Set<ProcessHandle> processes() {
        return ray == null || address.equals(label) ? Set.of() : ray.processes();
    }

    /// Those that a peer on Ray uses.
    Set<ProcessHandle> peerProcesses() {
        return rayCluster().processes();
    }

    String peerPython() {
        return rayCluster().python().toString();
    }

    /// What a peer's environment must have to use it.
    Map<String, String> peerVariables() {
        Map<String, String> variables = new HashMap<>(rayCluster().environment());
        variables.put("RAY_ADDRESS", rayCluster().address());
        return variables;
    }

    private LocalRayCluster rayCluster() {
        return Objects.requireNonNull(ray, "a peer needs Ray");
    }

    @Override
    public void close() {
        if (own != null) {
            rayCluster().down();
        }
    }
}
