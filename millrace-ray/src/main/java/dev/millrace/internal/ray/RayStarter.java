package dev.millrace.internal.ray;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Keeps one worker on each node of a Ray cluster, through a Python process that Ray sees as a job. When that process
/// ends, for whatever reason, Ray ends its actors, and those end their workers.
final class RayStarter implements WorkerStarter {
    private static final System.Logger LOGGER = System.getLogger(RayStarter.class.getName());
    private static final int ANSWER_SECONDS = 10;
    /// How long a machine that the autoscaler is starting may take.
    static final int LIMIT_SECONDS = 600;

    private final RayAddress address;
    private final RayPython python;
    private final WorkerLaunch launch;
    private final AtomicLong requests = new AtomicLong();

    /// Requests without an answer, by their number; the answer is what is lacking, empty for nothing.
    private final Map<Long, CompletableFuture<String>> unanswered = new ConcurrentHashMap<>();

    /// Workers that have joined, by Ray's name of their node. Only the thread that reads events uses it.
    private final Map<String, WorkerAddress> workers = new HashMap<>();

    /// Nodes that Ray had when it was connected to.
    private volatile int expected = 1;

    private @Nullable StarterProcess process;
    private boolean closed;

    RayStarter(RayAddress address, RayPython python, WorkerLaunch launch) {
        this.address = address;
        this.python = python;
        this.launch = launch;
    }

    @Override
    public synchronized void start(String token, Listener listener) {
        if (process != null || closed) {
            throw MillraceException.internal("A starter of workers on Ray was started twice, or after its end.");
        }
        byte[] id = new byte[4];
        ThreadLocalRandom.current().nextBytes(id);
        byte[] order = RayOrder.line(address, HexFormat.of().formatHex(id), token, launch);
        process = StarterProcess.start(python, order, event -> hear(event, listener), end -> {
            if (!isClosed()) {
                listener.failed("The Python process that talks to Ray (" + python.interpreter() + ", " + python.source()
                        + ") ended with code " + end.code() + ". It said: " + end.lastWords());
            }
        });
    }

    @Override
    public int expected() {
        return expected;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void hear(RayEvent event, Listener listener) {
        if (isClosed()) {
            return;
        }
        switch (event) {
            case RayEvent.Connected connected -> {
                expected = Math.max(1, connected.nodes());
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "Connected to Ray {0} at {1}",
                        connected.version(),
                        address.address());
            }
            case RayEvent.Joined joined -> {
                String gpus = joined.gpuIds().isEmpty() ? "" : ", GPU " + String.join(" and ", joined.gpuIds());
                WorkerAddress worker = new WorkerAddress(
                        joined.host(),
                        joined.port(),
                        "Ray node " + joined.node().substring(0, 8) + " (pid " + joined.pid() + gpus + ")");
                workers.put(joined.node(), worker);
                listener.joined(worker);
            }
            case RayEvent.Left left -> {
                WorkerAddress worker = workers.remove(left.node());
                if (worker != null) {
                    listener.left(worker, left.why());
                }
            }
            case RayEvent.Failed failed ->
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        () -> "No worker started on Ray's node " + failed.host() + ": " + failed.why()
                                + ". It is tried again.");
            case RayEvent.Hopeless hopeless -> listener.failed(noWorker(hopeless.troubles()));
            case RayEvent.Granted granted -> answer(granted.id(), "");
            case RayEvent.Lacking lacking ->
                answer(
                        lacking.id(),
                        "no node of the Ray cluster has that much, and its autoscaler added none within "
                                + lacking.seconds() + " s; the most on one node: "
                                + lacking.most().entrySet().stream()
                                        .map(most -> most.getKey() + " " + most.getValue())
                                        .collect(Collectors.joining(", ")));
            case RayEvent.Missing missing ->
                listener.failed("The Python '" + missing.python() + "' (" + python.source()
                        + ") has no Ray, which starts the workers. Install the cluster's version there ("
                        + missing.python() + " -m pip install ray==VERSION), or name a Python that has it: set "
                        + RayPython.VARIABLE + ", or add ?python=PATH to the address.");
            case RayEvent.Silent silent ->
                listener.failed("No Ray cluster answers at " + address.address() + " (" + silent.why()
                        + "). The address is that of its head, as 'ray start --head --port=6379' prints it, and not the"
                        + " dashboard's. 'millrace cluster up' starts a cluster on this machine.");
            case RayEvent.Broken broken ->
                listener.failed("Ray at " + address.address() + " failed: " + broken.why()
                        + (broken.why().startsWith("ConnectionError")
                                ? ". If the cluster wants a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN_PATH for"
                                        + " this program: its Python passes them on."
                                : ""));
        }
    }

    private void answer(long request, String lacking) {
        CompletableFuture<String> answer = unanswered.remove(request);
        if (answer != null) {
            answer.complete(lacking);
        }
    }

    @Override
    public boolean canGrow() {
        return true;
    }

    @Override
    public void want(List<Resources> waiting) {
        StarterProcess running;
        synchronized (this) {
            running = process;
        }
        if (running != null) {
            running.tell(RayOrder.wants(waiting));
        }
    }

    /// Asks the autoscaler for a node with these resources, if there is none, and waits until Ray has it.
    @Override
    public Optional<String> obtain(Resources need) {
        String reserved = address.beyondReserved(need);
        if (reserved != null) {
            return Optional.of(reserved);
        }
        long id = requests.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        StarterProcess running;
        synchronized (this) {
            running = process;
        }
        if (running == null) {
            throw MillraceException.internal("Resources were asked for before the starter on Ray was started.");
        }
        unanswered.put(id, answer);
        running.tell(RayOrder.request(id, need));
        // The process answers, unless it is gone; then the session hears of that.
        String lacking = answer.completeOnTimeout(
                        "Ray does not answer", LIMIT_SECONDS + ANSWER_SECONDS, TimeUnit.SECONDS)
                .join();
        return lacking.isEmpty() ? Optional.empty() : Optional.of(lacking);
    }

    private String noWorker(Map<String, String> troubles) {
        return troubles.isEmpty()
                ? "The Ray cluster at " + address.address()
                        + " has no node with CPUs, so no worker could be started. Add a node, or give one CPUs (ray start"
                        + " --num-cpus)."
                : "No worker could be started on the Ray cluster at " + address.address() + ". "
                        + troubles.entrySet().stream()
                                .map(node -> "Node " + node.getKey() + ": " + node.getValue() + ".")
                                .collect(Collectors.joining(" "));
    }

    @Override
    public void close() {
        StarterProcess running;
        synchronized (this) {
            closed = true;
            running = process;
        }
        if (running != null) {
            running.close();
        }
    }
}
