package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.PeerRun;
import dev.millrace.benchmarks.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An engine that is compared, each time in a process of its own.
///
/// @param label its name in reports
public record Contestant(String label, FreshRun fresh) {
    /// Millrace as a program of a user runs it.
    public static final String OURS = "millrace";

    /// Millrace with the command's archive of classes and profiles.
    public static final String CACHED = "millrace+cache";

    /// Starts a process that runs a workload some times.
    public interface FreshRun {
        MeasuredProcess run(Workload workload, BenchSettings settings, int times)
                throws IOException, InterruptedException, BenchFailure;
    }

    /// @param java the command that starts Java with its flags
    public static Contestant ours(String label, List<String> java) {
        return new Contestant(
                label, (workload, settings, times) -> new OwnRun(java, workload, settings).run(label, times, Set::of));
    }

    /// Makes the peer's Python environment if there is none.
    public static Contestant of(Peer peer) throws IOException, InterruptedException, BenchFailure {
        String python = PeerRun.environment(peer);
        return new Contestant(
                peer.label(),
                (workload, settings, times) ->
                        new PeerRun(peer, workload, settings).run(python, times, Map.of(), Set::of));
    }

    /// Several peers, in the order given.
    public static List<Contestant> of(List<Peer> peers) throws IOException, InterruptedException, BenchFailure {
        List<Contestant> contestants = new ArrayList<>();
        for (Peer peer : peers) {
            contestants.add(of(peer));
        }
        return contestants;
    }

    boolean isOurs() {
        return label.startsWith(OURS);
    }
}
