package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/// The main class of a driver in a network namespace of its own, with a bridge to workers in theirs: it drops their
/// packets, and nobody closes a connection. Ends with code 0 if all was right. All namespaces end with their processes.
final class CutNetwork {
    private static final String NET = "10.77.0.";
    private static final int PORT = 7400;
    private static final int FIRST = 2;
    private static final long ROWS = 400_000;
    private static final long MAX_SECONDS = 60;

    private final Path folder;
    private final List<WorkerProcess> workers = new ArrayList<>();

    private CutNetwork(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        CutNetwork network = new CutNetwork(Path.of(arguments[1]));
        try {
            network.build();
            switch (arguments[0]) {
                case "driver" -> network.aWorkerIsCutOffFromTheDriver();
                case "workers" -> network.twoWorkersAreCutOffFromEachOther();
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } finally {
            network.workers.forEach(WorkerProcess::close);
        }
        System.exit(0);
    }

    private static void sh(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-ec", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + ": " + output);
        }
    }

    /// Two workers; each waits for its end of a cable before it listens.
    private void build() throws Exception {
        sh("ip link set lo up; ip link add br0 type bridge; ip addr add " + NET + "1/24 dev br0; ip link set br0 up");
        for (int host = FIRST; host < FIRST + 2; host++) {
            List<String> command = new ArrayList<>(List.of(
                    "unshare",
                    "-n",
                    "sh",
                    "-ec",
                    "ip link add eth0 type veth peer name v" + host + " netns "
                            + ProcessHandle.current().pid()
                            + "; ip addr add " + NET + host + "/24 dev eth0; ip link set eth0 up; ip link set lo up;"
                            + " exec \"$@\"",
                    "sh"));
            command.addAll(
                    WorkerProcess.command("--listen", NET + host + ":" + PORT, "--cpus", "1", "--memory", "100m"));
            workers.add(WorkerProcess.of(command));
            sh("ip link set v" + host + " master br0 up");
        }
    }

    private Session open(boolean compresses) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), WorkerProcess.TOKEN);
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withTokenFile(token.toString()).withCompression(compresses))
                .cluster("millrace://" + NET + FIRST + ":" + PORT + "," + NET + (FIRST + 1) + ":" + PORT)
                .open();
    }

    /// Waits for a file.
    static void await(Path file) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        while (!Files.exists(file)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no " + file + " within " + MAX_SECONDS + " s");
            }
            WorkerProcess.pause();
        }
    }

    private void aWorkerIsCutOffFromTheDriver() throws Exception {
        String begun = folder.resolve("begun").toString();
        String cut = folder.resolve("cut").toString();
        try (Session session = open(true)) {
            Thread cutter = Thread.ofPlatform().start(() -> {
                try {
                    await(Path.of(begun));
                    sh("ip link set v" + FIRST + " nomaster");
                    Files.createFile(Path.of(cut));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            List<Row> rows = session.range(ROWS, 12)
                    .mapBatches(batch -> {
                        if (batch.longs("id").get(0) >= ROWS / 2) {
                            Path.of(begun).toFile().createNewFile();
                            await(Path.of(cut));
                        }
                        return batch.mapLongs("id", id -> id * 7919 % 1_000_003);
                    })
                    .sort("id")
                    .takeAll();
            cutter.join();
            requireSorted(rows);
            assertThat(workers.getFirst().awaitSessions(0))
                    .as("what the worker that was cut off holds")
                    .isEqualTo(new WorkerProcess.Held(0, 0));
            sh("ip link set v" + FIRST + " master br0");
            assertThat(workers.getFirst().awaitSessions(1).sessions()).isEqualTo(1);
            requireBothWork(session);
        }
        for (WorkerProcess worker : workers) {
            assertThat(worker.awaitSessions(0)).isEqualTo(new WorkerProcess.Held(0, 0));
        }
    }

    private static void requireSorted(List<Row> rows) {
        assertThat(rows.stream().map(row -> row.getLong("id")).toList())
                .isEqualTo(LongStream.range(0, ROWS)
                        .map(id -> id * 7919 % 1_000_003)
                        .sorted()
                        .boxed()
                        .toList());
    }

    /// Two tasks that wait for each other: neither worker has room for both.
    private void requireBothWork(Session session) {
        String meeting = folder.resolve("met").toString();
        assertThat(session.range(2, 2)
                        .mapBatches(batch -> {
                            long id = batch.longs("id").get(0);
                            Path.of(meeting + id).toFile().createNewFile();
                            await(Path.of(meeting + (1 - id)));
                            return batch;
                        })
                        .count())
                .isEqualTo(2);
    }

    private void twoWorkersAreCutOffFromEachOther() throws Exception {
        long plain;
        try (Session session = open(false)) {
            plain = sentBytesOfSmallValues(session);
        }
        try (Session session = open(true)) {
            assertThat(sentBytesOfSmallValues(session))
                    .as("bytes on the wire, of %s", plain)
                    .isLessThan(plain / 3);
            // Leaves connections between the two, which are not closed by the cut.
            requireSorted(sorted(session));
            sh("ip link set dev v" + FIRST + " type bridge_slave isolated on; ip link set dev v" + (FIRST + 1)
                    + " type bridge_slave isolated on");
            requireSorted(sorted(session));
        }
        for (WorkerProcess worker : workers) {
            assertThat(worker.awaitSessions(0)).isEqualTo(new WorkerProcess.Held(0, 0));
        }
    }

    /// What the workers send when the driver takes values of 8 bytes that are all small.
    private static long sentBytesOfSmallValues(Session session) throws IOException {
        long before = sentBytes();
        assertThat(session.range(ROWS, 12).mapBatches(batch -> batch.mapLongs("id", id -> id % 4)).takeAll().stream()
                        .mapToLong(row -> row.getLong("id"))
                        .sum())
                .isEqualTo(ROWS / 4 * 6);
        return sentBytes() - before;
    }

    /// What the workers have sent so far.
    private static long sentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/net/dev")).stream()
                .map(line -> line.strip().split("[: ]+", 3))
                .filter(words -> words[0].matches("v[0-9]+"))
                .mapToLong(words -> Long.parseLong(words[1]))
                .sum();
    }

    private static List<Row> sorted(Session session) {
        return session.range(ROWS, 12)
                .mapBatches(batch -> batch.mapLongs("id", id -> id * 7919 % 1_000_003))
                .sort("id")
                .takeAll();
    }
}
