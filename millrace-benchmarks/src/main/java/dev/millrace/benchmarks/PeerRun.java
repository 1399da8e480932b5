package dev.millrace.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Runs the script of a peer in its own process and Python environment.
public final class PeerRun {
    private final Peer peer;
    private final Workload workload;
    private final BenchSettings settings;

    /// @throws BenchFailure a sentence, if the peer does not support the workload
    public PeerRun(Peer peer, Workload workload, BenchSettings settings) throws BenchFailure {
        peer.require(workload);
        this.peer = peer;
        this.workload = workload;
        this.settings = settings;
    }

    static Measurement of(Peer peer, Workload workload, BenchSettings settings) throws Exception {
        PeerRun run = new PeerRun(peer, workload, settings);
        String python = environment(peer);
        return workload.peerName().equals("start") ? run.starts(python) : run.repeated(python);
    }

    /// The Python interpreter with the peer's packages; installs them on first use.
    public static String environment(Peer peer) throws IOException, InterruptedException, BenchFailure {
        Process process = new ProcessBuilder(
                        Project.root().resolve("tools/python-env").toString(), peer.label())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String python = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailure("the Python environment of " + peer.label() + " could not be made.");
        }
        return python.strip();
    }

    private Measurement repeated(String python) throws Exception {
        MeasuredProcess measured = run(python, settings.times(), Map.of(), Set::of);
        return Measurement.warm(measured.seconds(), measured.peakMb(), measured.result());
    }

    /// Starts a new process for each run and takes the median, as for our own starts.
    private Measurement starts(String python) throws Exception {
        List<Double> seconds = new ArrayList<>();
        MeasuredProcess measured = run(python, 1, Map.of(), Set::of);
        seconds.add(measured.untilAnswer());
        for (int i = 1; i < settings.times(); i++) {
            measured = run(python, 1, Map.of(), Set::of);
            seconds.add(measured.untilAnswer());
        }
        return new Measurement(Median.of(seconds), seconds, measured.peakMb(), measured.result(), Map.of());
    }

    /// Runs the script once, in which the workload runs some times.
    ///
    /// @param variables of its environment
    /// @param others processes that work for it and are not its descendants
    public MeasuredProcess run(
            String python,
            int times,
            Map<String, String> variables,
            Supplier<? extends Collection<ProcessHandle>> others)
            throws IOException, InterruptedException, BenchFailure {
        Path scripts = Files.createTempDirectory("millrace-peers");
        try {
            Path script = copy(scripts, "with_" + peer.label() + ".py");
            copy(scripts, "peer.py");
            List<String> command = new ArrayList<>(List.of(python, script.toString(), workload.peerName()));
            command.addAll(List.of("--rows", Long.toString(settings.scaled(workload.rows()))));
            command.addAll(List.of("--times", Integer.toString(times)));
            if (settings.data() != null) {
                command.addAll(List.of("--data", settings.data().toString()));
            }
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(variables);
            if (peer == Peer.SPARK) {
                // Spark needs the Java version it supports, which is on the PATH, not ours.
                builder.environment().remove("JAVA_HOME");
            }
            return MeasuredProcess.run(peer.label(), builder, others, scripts);
        } finally {
            try (var files = Files.walk(scripts)) {
                files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static Path copy(Path folder, String name) throws IOException {
        Path target = folder.resolve(name);
        try (InputStream in = PeerRun.class.getResourceAsStream("/peers/" + name)) {
            Files.copy(in, target);
        }
        return target;
    }
}
