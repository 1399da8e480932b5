package dev.millrace.internal.python;

import dev.millrace.Dataset;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Accepts Python programs at a Unix socket. `this` guards the connections.
public final class FeedServer implements AutoCloseable {
    private static final int MAX_PATH = 100;

    private final Path path;
    private final ServerSocketChannel server;
    private final Map<String, FeedEpochs> epochs = new HashMap<>();
    private final Set<FeedConnection> connections = new HashSet<>();
    private final Thread acceptor;
    private boolean closed;

    private FeedServer(Path path, ServerSocketChannel server, Map<String, IntFunction<Dataset>> datasets) {
        this.path = path;
        this.server = server;
        datasets.forEach((name, dataset) -> epochs.put(name, new FeedEpochs(dataset)));
        this.acceptor = Thread.ofPlatform().daemon().name("millrace-feed").start(this::accept);
    }

    public static FeedServer open(String path, Map<String, IntFunction<Dataset>> datasets) {
        Path place = Path.of(path).toAbsolutePath();
        if (place.toString().length() > MAX_PATH) {
            throw MillraceException.user("PythonFeed: the path '" + place + "' has "
                    + place.toString().length() + " characters, and a socket's may have " + MAX_PATH
                    + ". Choose a shorter one.");
        }
        removeStale(place);
        ServerSocketChannel server = null;
        try {
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(place));
            // Whoever can write to it can read the rows.
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rw-------"));
            return new FeedServer(place, server, datasets);
        } catch (IOException e) {
            closeQuietly(server);
            throw new MillraceException(
                    Culprit.USER,
                    "PythonFeed: '" + place + "' cannot be opened: " + e.getMessage()
                            + ". Give the path of a file that does not exist, in a folder that does.",
                    e);
        }
    }

    /// A file of a process that is gone accepts nobody.
    private static void removeStale(Path place) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(place))) {
            throw MillraceException.user("PythonFeed: another process serves '" + place + "'. Give another path.");
        } catch (IOException _) {
            try {
                if (Files.exists(place) && !Files.isRegularFile(place) && !Files.isDirectory(place)) {
                    Files.delete(place);
                }
            } catch (IOException _) {
                // Then it cannot be opened either.
            }
        }
    }

    private static void closeQuietly(@Nullable ServerSocketChannel server) {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException _) {
            // There is nobody who could do more.
        }
    }

    public String address() {
        return path.toString();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel peer = server.accept();
                synchronized (this) {
                    if (closed) {
                        peer.close();
                        return;
                    }
                    connections.add(new FeedConnection(peer, epochs, this::forget));
                }
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    private synchronized void forget(FeedConnection connection) {
        connections.remove(connection);
    }

    @Override
    public void close() {
        Set<FeedConnection> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = Set.copyOf(connections);
        }
        closeQuietly(server);
        try {
            Files.deleteIfExists(path);
        } catch (IOException _) {
            // It is empty, and the next feed at this path replaces it.
        }
        open.forEach(FeedConnection::close);
        boolean interrupted = false;
        while (acceptor.isAlive()) {
            try {
                acceptor.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
