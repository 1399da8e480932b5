package dev.millrace.internal.cluster;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.code.DriverCode;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.link.BlockServer;
import dev.millrace.internal.cluster.link.Greeting;
import dev.millrace.internal.cluster.link.Link;
import dev.millrace.internal.cluster.shuffle.ShuffleFiles;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.runtime.NodeEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The workers of a driver, as they join and are lost. Thread-safe: `this` guards the lists, and listeners are told
/// with it held, so that they hear of changes in their order.
final class ClusterNodes implements WorkerStarter.Listener, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ClusterNodes.class.getName());
    private static final long RETRY_MILLIS = 500;
    /// How long the session waits for the workers after the first.
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ClusterOptions options;
    private final BlockServer server;
    private final @Nullable ShuffleFiles shuffles;
    private final BiConsumer<WorkerNode, WireMessage> messages;
    private final String session = UUID.randomUUID().toString();
    private final Map<String, WorkerNode> living = new LinkedHashMap<>();
    private final List<Consumer<NodeEvent>> listeners = new ArrayList<>();
    private final Map<WorkerAddress, String> left = new LinkedHashMap<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private final @Nullable DriverCode code;
    private @Nullable MillraceException refusal;
    private int numbered;
    private long cpuNanosOfLost;
    private volatile boolean closed;

    /// @param server of the driver's blocks
    /// @param shuffles the shared files of shuffles, which workers must see before they join; or null
    /// @param messages of workers that have joined
    ClusterNodes(
            ClusterOptions options,
            BlockServer server,
            @Nullable ShuffleFiles shuffles,
            BiConsumer<WorkerNode, WireMessage> messages) {
        this.options = options;
        this.server = server;
        this.shuffles = shuffles;
        this.messages = messages;
        this.code = options.starter().sharesClassPath()
                ? null
                : DriverCode.ofThisProcess(Thread.currentThread().getContextClassLoader());
    }

    /// Starts, and waits for the first worker, and for a little for those that are expected with it.
    ///
    /// @throws MillraceException culprit RESOURCES, if none joins in time
    void start() {
        options.starter().start(options.token(), this);
        long deadline = System.nanoTime() + options.patience().toNanos();
        long first = Long.MAX_VALUE;
        synchronized (this) {
            while (living.size() < options.starter().expected()) {
                if (refusal != null) {
                    throw refusal;
                }
                long now = System.nanoTime();
                first = living.isEmpty() ? Long.MAX_VALUE : Math.min(first, now);
                if (!living.isEmpty() && now - first > GRACE_NANOS) {
                    return;
                }
                if (living.isEmpty() && (now > deadline || !problems.isEmpty() && closed)) {
                    throw none();
                }
                try {
                    wait(100);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw MillraceException.user("The wait for the workers of a cluster was interrupted.");
                }
            }
        }
    }

    private MillraceException none() {
        return MillraceException.resources("No worker was found"
                + (closed ? ". " : " within " + options.patience().toSeconds() + " s. ")
                + (problems.isEmpty() ? "None has reported yet." : String.join(" ", problems)));
    }

    @Override
    public void joined(WorkerAddress worker) {
        Thread.ofVirtual().name("millrace-connect").start(() -> connect(worker));
    }

    /// Connects to a worker, again and again until it can be reached or has left.
    private void connect(WorkerAddress worker) {
        while (!closed && !hasLeft(worker)) {
            try {
                open(worker);
                return;
            } catch (IOException e) {
                problem(worker + ": " + e.getMessage() + ".");
            }
            try {
                Thread.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized boolean hasLeft(WorkerAddress worker) {
        return left.containsKey(worker);
    }

    private synchronized void problem(String sentence) {
        problems.add(sentence);
    }

    private void open(WorkerAddress worker) throws IOException {
        int index;
        synchronized (this) {
            index = ++numbered;
        }
        Greeting greeting = new Greeting(
                Greeting.Kind.MESSAGES,
                session,
                "worker-" + index + "@" + worker.host() + ":" + worker.port(),
                index,
                options.compresses(),
                code != null);
        Link link = greeting.open(worker.host(), worker.port(), options.token(), options.tls());
        BlockPeer blocks = new BlockPeer(
                "Worker " + greeting.node(), options.compresses(), () -> data(greeting, Greeting.Kind.FETCH, worker));
        WorkerNode node = new WorkerNode(worker, greeting, link, blocks);
        node.link().start(message -> received(node, message), why -> lost(node, why));
    }

    private Link data(Greeting to, Greeting.Kind kind, WorkerAddress worker) throws IOException {
        return to.of(kind, to.node()).open(worker.host(), worker.port(), options.token(), options.tls());
    }

    private void received(WorkerNode node, WireMessage message) {
        switch (message) {
            case WireMessage.Welcome welcome -> {
                node.welcome(welcome);
                node.sendCode(code);
                if (shuffles == null) {
                    join(node);
                } else {
                    node.link().send(shuffles.message());
                }
            }
            case WireMessage.ShufflesKept kept ->
                Thread.ofVirtual().name("millrace-shuffle-check").start(() -> joinIfItShares(node, kept.problem()));
            case WireMessage.Attachment question -> node.answerCode(question.bytes());
            default -> messages.accept(node, message);
        }
    }

    /// A worker that does not see the shared folder gets no work.
    private void joinIfItShares(WorkerNode node, String problem) {
        try {
            Objects.requireNonNull(shuffles, "it was asked").require(node.index(), node.name(), problem);
        } catch (MillraceException e) {
            synchronized (this) {
                refusal = e;
                left.put(node.address(), "it does not see the folder of shuffle data");
                notifyAll();
            }
            LOG.log(System.Logger.Level.WARNING, e.getMessage());
            node.link().end("it does not see the folder of shuffle data");
            return;
        }
        join(node);
    }

    private synchronized void join(WorkerNode node) {
        if (closed) {
            node.link().end("the session is closed");
            return;
        }
        for (WorkerNode other : living.values()) {
            other.link().send(joinedMessage(node));
            node.link().send(joinedMessage(other));
        }
        living.put(node.name(), node);
        listeners.forEach(listener -> listener.accept(new NodeEvent.Joined(node.description())));
        notifyAll();
    }

    private static WireMessage joinedMessage(WorkerNode node) {
        return new WireMessage.NodeJoined(
                node.name(), node.address().host(), node.address().port());
    }

    private void lost(WorkerNode node, String why) {
        String reason;
        synchronized (this) {
            reason = left.getOrDefault(node.address(), why);
            cpuNanosOfLost += node.cpuNanos();
            if (living.remove(node.name()) != null && !closed) {
                listeners.forEach(listener -> listener.accept(new NodeEvent.Lost(node.name())));
                living.values().forEach(other -> other.link().send(new WireMessage.NodeLost(node.name(), reason)));
            }
        }
        if (!closed) {
            LOG.log(System.Logger.Level.WARNING, "Worker " + node.name() + " was lost: " + reason + ".");
        }
        node.lost(reason);
        if (shuffles != null && !closed) {
            shuffles.lost(node.index());
        }
        if (!closed && !hasLeft(node.address())) {
            // It may come back, as another node.
            joined(node.address());
        }
    }

    @Override
    public void left(WorkerAddress worker, String why) {
        List<WorkerNode> ended;
        synchronized (this) {
            left.put(worker, why);
            problems.add(worker + " has ended: " + why + ".");
            ended = living.values().stream()
                    .filter(node -> node.address().equals(worker))
                    .toList();
        }
        ended.forEach(node -> node.link().end(why));
    }

    @Override
    public synchronized void failed(String why) {
        problems.add(why);
        LOG.log(System.Logger.Level.WARNING, why);
        if (living.isEmpty()) {
            closed = true;
        }
        notifyAll();
    }

    /// Opens connections on which a worker fetches blocks of the driver.
    void serve(WorkerNode node, int links) {
        for (int i = 0; i < links; i++) {
            Thread.ofVirtual().name("millrace-serve").start(() -> {
                Greeting greeting =
                        new Greeting(Greeting.Kind.SERVE, session, node.name(), 0, options.compresses(), code != null);
                try {
                    server.serve(data(greeting, Greeting.Kind.SERVE, node.address()));
                } catch (IOException e) {
                    LOG.log(System.Logger.Level.DEBUG, "No connection for the blocks of the driver", e);
                }
            });
        }
    }

    synchronized void watch(Consumer<NodeEvent> listener) {
        living.values().forEach(node -> listener.accept(new NodeEvent.Joined(node.description())));
        listeners.add(listener);
    }

    synchronized List<WorkerNode> living() {
        return List.copyOf(living.values());
    }

    synchronized @Nullable WorkerNode named(String name) {
        return living.get(name);
    }

    /// The living worker of that index.
    @Nullable
    WorkerNode numbered(int index) {
        return living().stream()
                .filter(node -> node.index() == index)
                .findFirst()
                .orElse(null);
    }

    @Nullable
    WorkerNode leastBusy() {
        return living().stream()
                .min(Comparator.comparingDouble(WorkerNode::load))
                .orElse(null);
    }

    synchronized long cpuNanos() {
        return cpuNanosOfLost
                + living.values().stream().mapToLong(WorkerNode::cpuNanos).sum();
    }

    /// Tells the workers of program parts that no task can use any more.
    void forget(List<Long> parts) {
        if (!parts.isEmpty()) {
            living().forEach(node -> node.forgetParts(parts));
        }
    }

    @Override
    public void close() {
        closed = true;
        List<Thread> closing = new ArrayList<>();
        for (WorkerNode node : living()) {
            closing.add(Thread.ofVirtual().start(() -> node.link().close()));
        }
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        options.starter().close();
        if (code != null) {
            code.close();
        }
    }
}
