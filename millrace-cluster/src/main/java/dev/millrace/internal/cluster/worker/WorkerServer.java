package dev.millrace.internal.cluster.worker;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.code.CodeCache;
import dev.millrace.internal.cluster.link.Greeting;
import dev.millrace.internal.cluster.link.Link;
import dev.millrace.internal.cluster.link.TlsKeys;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.SpillSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A worker: one port for drivers and for the other workers, one memory for all of its drivers. Each connection has a
/// thread of its own.
public final class WorkerServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WorkerServer.class.getName());
    private static final int BACKLOG = 256;

    private final WorkerOptions options;
    private final @Nullable TlsKeys tls;
    private final ServerSocketChannel port;
    private final Allocator memory;
    private final BlockSpiller spiller;
    private final CodeCache code;
    private final Map<String, DriverSession> sessions = new ConcurrentHashMap<>();

    /// Listens where the options say.
    ///
    /// @throws MillraceException if that is not possible
    public WorkerServer(WorkerOptions options) {
        this.options = options;
        this.tls = TlsKeys.of(options.tls());
        this.memory = Allocator.root("worker", options.blockMemory());
        SpillSettings spill = options.spillFolder() == null
                ? SpillSettings.DEFAULT
                : SpillSettings.DEFAULT.withDirectories(options.spillFolder().toString());
        this.spiller = new BlockSpiller(spill, memory);
        memory.relief(spiller);
        this.code = new CodeCache(options.codeFolder(), options.codeBytes());
        try {
            this.port = ServerSocketChannel.open();
            port.bind(new InetSocketAddress(options.host(), options.port()), BACKLOG);
        } catch (IOException | RuntimeException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The worker cannot listen on " + options.host() + ":" + options.port() + ": " + e.getMessage()
                            + ". Name an address of this machine and a free port with --listen HOST:PORT.",
                    e);
        }
    }

    /// Where it listens.
    public int port() {
        return port.socket().getLocalPort();
    }

    /// Bytes in use now.
    public long heldBytes() {
        return memory.heldBytes();
    }

    /// The number of drivers that use it now.
    public int sessions() {
        return sessions.size();
    }

    /// Takes connections until this is closed.
    public void run() {
        while (port.isOpen()) {
            try {
                SocketChannel caller = port.accept();
                Thread.ofVirtual().name("millrace-caller").start(() -> greet(caller));
            } catch (IOException e) {
                if (port.isOpen()) {
                    LOG.log(System.Logger.Level.WARNING, "A connection could not be taken", e);
                }
            }
        }
    }

    private void greet(SocketChannel caller) {
        try {
            Link link = Link.accepted(caller, tls);
            Greeting greeting = Greeting.receive(link, options.token());
            if (greeting == null) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "A caller from " + caller.socket().getInetAddress()
                                + " was refused: it has another token, or is no Millrace of this version.");
                return;
            }
            take(greeting, link);
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "A caller left at the greeting", e);
        }
    }

    private void take(Greeting greeting, Link link) {
        if (greeting.kind() == Greeting.Kind.MESSAGES) {
            DriverSession session = new DriverSession(greeting, link, options, tls, memory, spiller, code);
            sessions.put(greeting.session(), session);
            session.start(ended -> sessions.remove(ended.session(), ended));
            return;
        }
        DriverSession session = sessions.get(greeting.session());
        // A session that came back after a cut is another node, without the blocks of the first.
        if (session == null || !session.node().equals(greeting.node())) {
            link.close();
        } else if (greeting.kind() == Greeting.Kind.FETCH) {
            session.serve(link);
        } else {
            session.addDriverLink(link);
        }
    }

    /// Stops listening and ends all sessions.
    @Override
    public void close() {
        try {
            port.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "The port could not be closed", e);
        }
        sessions.values().forEach(DriverSession::end);
    }
}
