package dev.millrace.internal.ray.local;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A Ray cluster of several nodes on this machine. Each node has a loopback address of its own (127.0.0.2, ...) and its
/// own processes; ports are free ones. The state folder remembers them, so another process may ask for the cluster or
/// stop it. Whoever talks to it must know the token in its folder, since Ray listens on all interfaces of the machine.
///
/// One thread.
public final class LocalRayCluster {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(15);
    private static final String STARTED = "Ray runtime started";
    private static final String TOO_SLOW = "timed out during startup";
    private static final int TRIES = 3;
    private static final int FIRST_ADDRESS = 2;

    /// Sockets lie in Ray's folder, and their paths have at most 107 bytes, of which Ray's own names take 63.
    private static final int MAX_FOLDER = 44;

    /// Leads a session of its own, so that the signals of a terminal do not reach it, and becomes Ray.
    private static final String LAUNCHER = "import os, sys; os.setsid();"
            + " os.execv(sys.executable, [sys.executable, '-u', '-m', 'ray.scripts.scripts'] + sys.argv[1:])";

    private final Path state;
    private ClusterRecord cluster;

    private LocalRayCluster(Path state, ClusterRecord cluster) {
        this.state = state;
        this.cluster = cluster;
    }

    /// What a cluster is to have.
    ///
    /// @param gpusPerNode how many GPUs Ray is to believe in; 0: those that it finds
    /// @param objectStore bytes of Ray's object store on each node, which Millrace hardly uses
    public record Shape(int nodes, double cpusPerNode, int gpusPerNode, long objectStore, boolean dashboard) {}

    /// The state folder of this user, or the one that the system property `millrace.cluster.state` names.
    public static Path defaultState() {
        String named = System.getProperty("millrace.cluster.state");
        if (named != null) {
            return Path.of(named);
        }
        String chosen = System.getenv("XDG_CACHE_HOME");
        Path base = chosen == null || chosen.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(chosen);
        return base.resolve("millrace").resolve("cluster");
    }

    /// The cluster of a state folder, whether its nodes still run or not.
    public static Optional<LocalRayCluster> find(Path state) {
        return ClusterRecord.read(state).map(cluster -> new LocalRayCluster(state, cluster));
    }

    /// @throws MillraceException culprit USER, if the state folder has a cluster
    public static void refuseSecond(Path state) {
        find(state).ifPresent(other -> {
            throw MillraceException.user("A cluster was already started at " + other.url() + ", and "
                    + other.running().size() + " of its " + other.nodes().size()
                    + " nodes run. 'millrace cluster down' stops it.");
        });
    }

    /// Starts a cluster, and returns when all nodes run. Stops everything again if one does not start. Ray gives a node
    /// 30 seconds, which is little on a machine that does much else: then all of it is started anew, a few times.
    ///
    /// @throws MillraceException culprit USER, if one runs already
    public static LocalRayCluster up(Path state, RayEnvironment environment, Shape shape) {
        ClusterProcesses.obstacle().ifPresent(why -> {
            throw MillraceException.user(why);
        });
        refuseSecond(state);
        for (int left = TRIES - 1; ; left--) {
            try {
                return start(state, environment, shape);
            } catch (MillraceException e) {
                if (left == 0 || !Objects.toString(e.getMessage()).contains(TOO_SLOW)) {
                    throw e;
                }
            }
        }
    }

    private static LocalRayCluster start(Path state, RayEnvironment environment, Shape shape) {
        try {
            String host = "127.0.0." + FIRST_ADDRESS;
            LocalRayCluster cluster = new LocalRayCluster(
                    state,
                    new ClusterRecord(
                            random(8),
                            environment.python(),
                            environment.version(),
                            host + ":" + freePort(),
                            shape.dashboard() ? host + ":" + freePort() : null,
                            temporaryFolder(),
                            List.of()));
            Files.createFile(
                    cluster.cluster.token(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(cluster.cluster.token(), random(32));
            cluster.cluster.write(state);
            try {
                for (int i = 0; i < shape.nodes(); i++) {
                    // One after the other: of two that start at once, one sometimes dies.
                    cluster.addNode(shape);
                }
                return cluster;
            } catch (RuntimeException e) {
                cluster.down();
                throw e;
            }
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "The cluster could not be started: " + e + ".", e);
        }
    }

    /// Starts one more node, and returns when it runs.
    public RayNodeProcess addNode(Shape shape) {
        int number = cluster.nodes().size() + 1;
        String address = "127.0.0." + (FIRST_ADDRESS + number - 1);
        Path log = cluster.folder().resolve("node-" + number + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(number == 1, address, shape))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("RAY_"));
        environment.putAll(environment());
        environment.put(ClusterProcesses.ID, cluster.id());
        // So `python3` and `ray` of jobs are those of the cluster.
        Path bin = cluster.python().getParent();
        if (bin != null) {
            environment.merge("PATH", bin.toString(), (path, first) -> first + File.pathSeparator + path);
        }
        // A node that is gone is noticed after five seconds.
        environment.put("RAY_health_check_initial_delay_ms", "1000");
        environment.put("RAY_health_check_period_ms", "1000");
        environment.put("RAY_health_check_timeout_ms", "1000");
        environment.put("RAY_health_check_failure_threshold", "5");
        environment.put("RAY_USAGE_STATS_ENABLED", "0");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            Instant started = process.info().startInstant().orElseGet(Instant::now);
            RayNodeProcess node =
                    new RayNodeProcess(address, shape.cpusPerNode(), process.pid(), started, log.toString());
            cluster = cluster.with(node);
            cluster.write(state);
            await(process, node, log);
            return node;
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "A node of Ray could not be started: " + e + ".", e);
        }
    }

    private List<String> command(boolean head, String address, Shape shape) {
        List<String> line = new ArrayList<>(List.of(
                cluster.python().toString(),
                "-c",
                LAUNCHER,
                "start",
                "--block",
                "--disable-usage-stats",
                "--node-ip-address=" + address,
                // Free ports: the nodes of one machine must not take each other's.
                "--min-worker-port=0",
                "--max-worker-port=0",
                "--dashboard-agent-listen-port=0",
                "--metrics-export-port=0",
                "--num-cpus=" + (int) shape.cpusPerNode(),
                "--object-store-memory=" + shape.objectStore()));
        if (shape.gpusPerNode() > 0) {
            line.add("--num-gpus=" + shape.gpusPerNode());
        }
        if (!head) {
            line.add("--address=" + cluster.address());
            // One per machine suffices.
            line.add("--include-log-monitor=false");
            return line;
        }
        String dashboard = cluster.dashboard();
        line.addAll(List.of(
                "--head",
                "--port=" + port(cluster.address()),
                "--ray-client-server-port=" + freePort(),
                "--temp-dir=" + cluster.folder(),
                "--include-dashboard=" + (dashboard != null)));
        if (dashboard != null) {
            line.addAll(List.of("--dashboard-host=" + address, "--dashboard-port=" + port(dashboard)));
        }
        return line;
    }

    private static void await(Process process, RayNodeProcess node, Path log) throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        try {
            while (!text(log).contains(STARTED)) {
                boolean ended = process.waitFor(50, TimeUnit.MILLISECONDS);
                if (ended || System.nanoTime() > deadline) {
                    throw new MillraceException(
                            Culprit.RESOURCES,
                            "Ray's node " + node.address()
                                    + (ended
                                            ? " ended with code " + process.exitValue() + " while it started"
                                            : " did not start within " + START.toSeconds() + " s")
                                    + ". It said:\n" + tail(text(log)));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw MillraceException.user("Interrupted while Ray's node " + node.address() + " started.");
        }
    }

    /// Stops the processes of this cluster and no others, and forgets it. Returns when they have ended.
    public void down() {
        Set<ProcessHandle> all = processes();
        // The leaders end what they started; workers first, so that the head does not look for them.
        for (RayNodeProcess node : cluster.nodes().reversed()) {
            node.running().ifPresent(ProcessHandle::destroy);
        }
        boolean ended = awaitEnd(all);
        // What does not end, was started meanwhile, or lost its leader before.
        for (int i = 0; i < 3; i++) {
            Set<ProcessHandle> left = processes();
            left.forEach(ProcessHandle::destroyForcibly);
            ended = awaitEnd(left);
        }
        if (!ended) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "Processes of the cluster do not end: "
                            + processes().stream().map(ProcessHandle::pid).toList() + ".");
        }
        delete(cluster.folder());
        ClusterRecord.delete(state);
    }

    private static boolean awaitEnd(Set<ProcessHandle> processes) {
        long deadline = System.nanoTime() + END.toNanos();
        try {
            for (ProcessHandle process : processes) {
                while (process.isAlive()) {
                    if (System.nanoTime() > deadline) {
                        return false;
                    }
                    Thread.sleep(20);
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw MillraceException.user(
                    "Interrupted while the cluster was stopped; call 'millrace cluster down' again.");
        }
    }

    /// All nodes that were started, the head first.
    public List<RayNodeProcess> nodes() {
        return cluster.nodes();
    }

    /// Those whose processes run.
    public List<RayNodeProcess> running() {
        return cluster.nodes().stream()
                .filter(node -> node.running().isPresent())
                .toList();
    }

    /// The processes of all nodes.
    public Set<ProcessHandle> processes() {
        return ClusterProcesses.of(cluster);
    }

    /// For `Session.connect`.
    public String url() {
        return "ray://" + cluster.address();
    }

    /// Host and port of the head, in Ray's words.
    public String address() {
        return cluster.address();
    }

    public Optional<String> dashboard() {
        return Optional.ofNullable(cluster.dashboard()).map(at -> "http://" + at);
    }

    /// The interpreter that has the cluster's Ray.
    public Path python() {
        return cluster.python();
    }

    public String version() {
        return cluster.ray();
    }

    /// Logs and temporary files.
    public Path folder() {
        return cluster.folder();
    }

    /// What a process must have in its environment to talk to this cluster.
    public Map<String, String> environment() {
        return Map.of(
                "RAY_AUTH_MODE", "token", "RAY_AUTH_TOKEN_PATH", cluster.token().toString());
    }

    private static Path temporaryFolder() throws IOException {
        Path usual = Files.createTempDirectory("mr-");
        if (usual.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_FOLDER) {
            return usual;
        }
        Files.delete(usual);
        return Files.createTempDirectory(Path.of("/tmp"), "mr-");
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0." + FIRST_ADDRESS))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on 127.0.0." + FIRST_ADDRESS, e);
        }
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }

    private static String random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String text(Path log) throws IOException {
        return Files.readString(log, StandardCharsets.ISO_8859_1);
    }

    private static String tail(String text) {
        List<String> lines = text.strip().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size()));
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // Temporary files: whoever cleans those cleans these.
        }
    }
}
