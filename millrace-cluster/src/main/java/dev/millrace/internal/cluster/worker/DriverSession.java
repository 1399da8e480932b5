package dev.millrace.internal.cluster.worker;

import dev.millrace.internal.cluster.code.CodeCache;
import dev.millrace.internal.cluster.code.CodeSupply;
import dev.millrace.internal.cluster.code.WorkerCode;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.link.BlockServer;
import dev.millrace.internal.cluster.link.Greeting;
import dev.millrace.internal.cluster.link.Link;
import dev.millrace.internal.cluster.link.MessageLink;
import dev.millrace.internal.cluster.link.TlsKeys;
import dev.millrace.internal.cluster.shuffle.ShuffleFiles;
import dev.millrace.internal.cluster.shuffle.ShuffleFolder;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.LoaderScope;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.runtime.wire.WorkerTasks;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One driver in a worker, from its greeting to the end of its connection: its threads, its tasks and its blocks. When
/// the driver is gone, its tasks are cancelled and all that is its own is freed.
final class DriverSession {
    private static final System.Logger LOG = System.getLogger(DriverSession.class.getName());
    private static final Duration MAX_CLOSE = Duration.ofSeconds(10);

    private final Greeting greeting;
    private final WorkerOptions options;
    private final @Nullable TlsKeys tls;
    private final MessageLink driver;
    private final WorkerCode code;
    private final BlockSpiller spiller;
    private final StageAccounts accounts;
    private final Allocator serving;
    private final Map<String, BlockPeer> peers = new ConcurrentHashMap<>();
    /// The names of the driver's other nodes.
    private final Set<String> otherNodes = ConcurrentHashMap.newKeySet();
    /// Connections on which blocks are served, with the threads that do.
    private final Set<Link> served = ConcurrentHashMap.newKeySet();

    private volatile boolean ended;
    /// Null until the driver has told of a folder of shuffle data. Set by the thread of the messages.
    private volatile @Nullable ShuffleFolder shuffles;
    /// Null until the driver has told of its code, if it sends any. Set by the thread of the messages.
    private volatile @Nullable Work work;

    /// What runs for the driver.
    private final class Work {
        private final EmbeddedRuntime threads =
                new EmbeddedRuntime(options.resources(), options.blockMemory(), spiller, MAX_CLOSE);
        private final SessionStore store = new SessionStore(
                threads, accounts, serving, greeting.index(), DriverSession.this::peer, () -> shuffles);
        private final BlockServer server = new BlockServer(store, serving);
        private final WorkerTasks tasks = new WorkerTasks(
                threads, store, greeting.node(), code::loader, () -> 1 + otherNodes.size(), driver::send);
    }

    DriverSession(
            Greeting greeting,
            Link link,
            WorkerOptions options,
            @Nullable TlsKeys tls,
            Allocator memory,
            BlockSpiller spiller,
            CodeCache codeCache) {
        this.greeting = greeting;
        this.options = options;
        this.tls = tls;
        this.spiller = spiller;
        this.accounts = new StageAccounts(memory, greeting.session());
        this.serving = memory.child("blocks of " + greeting.session() + " for others");
        serving.stage(Integer.MAX_VALUE / 2, false);
        this.driver = new MessageLink(link, "driver-" + greeting.session(), this::pulse);
        this.code = new WorkerCode(
                greeting.node(),
                codeCache,
                bytes -> driver.send(new WireMessage.Attachment(CodeSupply.ATTACHMENT, bytes)));
        if (!greeting.sendsCode()) {
            work = new Work();
        }
        peers.put("", new BlockPeer("the driver", greeting.compresses(), () -> {
            driver.send(new WireMessage.WantLinks(1));
            return null;
        }));
    }

    String session() {
        return greeting.session();
    }

    /// The name of this worker for the driver.
    String node() {
        return greeting.node();
    }

    /// @param ended called once, when everything is freed
    void start(Consumer<DriverSession> ended) {
        driver.send(new WireMessage.Welcome(options.resources(), options.blockMemory()));
        driver.start(this::handle, why -> {
            try {
                close(why);
            } finally {
                ended.accept(this);
            }
        });
    }

    private WireMessage pulse() {
        Work running = work;
        return running == null
                ? new WireMessage.Pulse(-1, List.of())
                : new WireMessage.Pulse(running.threads.cpuNanos().orElse(-1), running.tasks.progress());
    }

    private void handle(WireMessage message) {
        Work running = work;
        if (running != null && running.tasks.handle(message)) {
            return;
        }
        switch (message) {
            case WireMessage.Attachment attachment -> takeCode(attachment.bytes());
            case WireMessage.ReleaseBlocks release -> {
                if (running != null) {
                    running.store.release(release.numbers());
                }
            }
            case WireMessage.NodeJoined joined -> {
                otherNodes.add(joined.node());
                Greeting fetching = greeting.of(Greeting.Kind.FETCH, joined.node());
                peers.put(
                        joined.node(),
                        new BlockPeer(
                                "Node " + joined.node(),
                                greeting.compresses(),
                                () -> fetching.open(joined.host(), joined.port(), options.token(), tls)));
            }
            case WireMessage.NodeLost lost -> {
                otherNodes.remove(lost.node());
                peer(lost.node()).gone(lost.why());
            }
            case WireMessage.KeepShuffles keep ->
                Thread.ofVirtual().name("millrace-shuffle-check").start(() -> keepShuffles(keep));
            case WireMessage.Pulse _ -> {}
            default -> LOG.log(System.Logger.Level.WARNING, "A driver sent a message that is none of its: " + message);
        }
    }

    /// Before the first task: the driver waits for the answer.
    private void keepShuffles(WireMessage.KeepShuffles keep) {
        String problem = "";
        try (LoaderScope _ = LoaderScope.enter(code.loader())) {
            ShuffleFolder folder = ShuffleFolder.of(keep.folder(), keep.job(), greeting.compresses());
            folder.leaveMark(ShuffleFiles.mark(greeting.index()), serving);
            shuffles = folder;
        } catch (NoSuchFileException e) {
            problem = "it does not see what the driver made there, '" + e.getMessage() + "'";
        } catch (IOException | RuntimeException | LinkageError e) {
            problem = String.valueOf(e.getMessage());
        }
        driver.send(new WireMessage.ShufflesKept(problem));
    }

    /// The first message tells of the driver's code; then work may begin.
    private void takeCode(byte[] bytes) {
        code.handle(bytes);
        if (work == null) {
            work = new Work();
        }
    }

    private BlockPeer peer(String node) {
        return peers.computeIfAbsent(node, unknown -> {
            BlockPeer none = new BlockPeer("Node " + unknown, false, () -> null);
            none.gone("this worker never heard of it");
            return none;
        });
    }

    /// Serves blocks on the thread of a connection.
    void serve(Link link) {
        Work running = work;
        if (running == null) {
            link.close();
            return;
        }
        served.add(link);
        try {
            if (ended) {
                link.close();
            } else {
                running.server.serve(link);
            }
        } finally {
            served.remove(link);
        }
    }

    /// A connection on which the driver serves its blocks.
    void addDriverLink(Link link) {
        peer("").add(link);
    }

    private void close(String why) {
        LOG.log(System.Logger.Level.DEBUG, "Session " + greeting.session() + " has ended: the driver is gone, " + why);
        ended = true;
        peers.values().forEach(peer -> peer.gone("the driver is gone"));
        // Others may be cut off from here, and never close theirs: a block that is being sent would stay.
        served.forEach(Link::close);
        code.disconnect();
        Work running = work;
        if (running != null) {
            try {
                running.threads.close();
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "Work of session " + greeting.session() + " does not end.", e);
            }
            running.store.close();
        }
        code.close();
        String left = accounts.close();
        try {
            serving.close();
        } catch (IllegalStateException e) {
            left += e.getMessage();
        }
        if (!left.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "Session " + greeting.session() + " left memory: " + left);
        }
    }

    /// Ends the connection, and so the session.
    void end() {
        driver.end("the worker ends");
    }
}
