package dev.millrace.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs the script of a peer in its own process and Python environment, and parses the line it prints.
final class PeerRun {
    private static final Pattern ANSWER = Pattern.compile("\\{\"seconds\": \\[(.*?)], \"result\": \"(.*)\"}");
    private static final long LIMIT_SECONDS = 900;
    private static final long SAMPLE_MILLIS = 100;

    private PeerRun() {}

    static Measurement of(Peer peer, Workload workload, BenchSettings settings) throws Exception {
        peer.require(workload);
        Path root = Project.root();
        String python = environment(root, peer);
        Path scripts = Files.createTempDirectory("millrace-peers");
        try {
            Path script = copy(scripts, "with_" + peer.label() + ".py");
            copy(scripts, "peer.py");
            boolean start = workload.peerName().equals("start");
            List<String> command = new ArrayList<>(List.of(python, script.toString(), workload.peerName()));
            command.addAll(List.of("--rows", Long.toString(settings.scaled(workload.rows()))));
            command.addAll(List.of("--times", Integer.toString(start ? 1 : settings.times())));
            if (settings.data() != null) {
                command.addAll(List.of("--data", settings.data().toString()));
            }
            return start ? starts(peer, command, scripts, settings.times()) : repeated(peer, command, scripts);
        } finally {
            try (var files = Files.walk(scripts)) {
                files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    /// The Python interpreter with the peer's packages; installs them on first use.
    private static String environment(Path root, Peer peer) throws IOException, InterruptedException, BenchFailure {
        Process process = new ProcessBuilder(root.resolve("tools/python-env").toString(), peer.label())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String python = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailure("the Python environment of " + peer.label() + " could not be made.");
        }
        return python.strip();
    }

    private static Path copy(Path folder, String name) throws IOException {
        Path target = folder.resolve(name);
        try (InputStream in = PeerRun.class.getResourceAsStream("/peers/" + name)) {
            Files.copy(in, target);
        }
        return target;
    }

    private static Measurement repeated(Peer peer, List<String> command, Path folder) throws Exception {
        Answer answer = run(peer, command, folder);
        return Measurement.best(answer.seconds(), answer.peakMb(), answer.result());
    }

    /// Starts a new process for each run and takes the median, as for our own starts.
    private static Measurement starts(Peer peer, List<String> command, Path folder, int times) throws Exception {
        List<Double> seconds = new ArrayList<>();
        Answer answer = null;
        for (int i = 0; i < times; i++) {
            answer = run(peer, command, folder);
            seconds.add(answer.untilAnswer());
        }
        return new Measurement(Median.of(seconds), seconds, answer.peakMb(), answer.result(), Map.of());
    }

    private record Answer(List<Double> seconds, String result, double untilAnswer, long peakMb) {}

    private static Answer run(Peer peer, List<String> command, Path folder) throws Exception {
        Path errors = folder.resolve("errors.txt");
        long began = System.nanoTime();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        if (peer == Peer.SPARK) {
            // Spark needs the Java version it supports, which is on the PATH, not ours.
            builder.environment().remove("JAVA_HOME");
        }
        Process process = builder.start();
        process.getOutputStream().close();
        long[] peak = {0};
        Thread sampler = Thread.ofPlatform().daemon().name("peer-memory").start(() -> {
            try {
                while (process.isAlive()) {
                    peak[0] = Math.max(peak[0], ProcessMemory.treeMb(process.toHandle()));
                    Thread.sleep(SAMPLE_MILLIS);
                }
            } catch (InterruptedException _) {
                // measured enough
            }
        });
        Thread limit = Thread.ofPlatform().daemon().name("peer-limit").start(() -> {
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            } catch (InterruptedException _) {
                // ended in time
            }
        });
        Matcher answer = null;
        double until = 0;
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = ANSWER.matcher(line);
                if (matcher.matches()) {
                    until = (System.nanoTime() - began) / 1e9;
                    answer = matcher;
                }
            }
        }
        int status = process.waitFor();
        limit.interrupt();
        sampler.interrupt();
        sampler.join(); // its peak is read below
        if (answer == null) {
            throw new BenchFailure(peer.label() + " gave no result (exit code " + status + "): " + lastLine(errors));
        }
        List<Double> seconds = Arrays.stream(answer.group(1).split(","))
                .map(Double::parseDouble)
                .toList();
        return new Answer(seconds, answer.group(2), until, peak[0]);
    }

    private static String lastLine(Path errors) throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> !line.isBlank())
                .reduce((_, last) -> last)
                .orElse("it wrote no error");
    }
}
