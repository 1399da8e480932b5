package dev.millrace.internal.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Stands before a port of this machine, passes all bytes on and counts them: those of its driver and those of other
/// workers.
final class CountingProxy implements AutoCloseable {
    private final int target;
    private final ServerSocketChannel listening = ServerSocketChannel.open();
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong sent = new AtomicLong();

    CountingProxy(int target) throws IOException {
        this.target = target;
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().name("proxy").daemon().start(this::accept);
    }

    int port() {
        return listening.socket().getLocalPort();
    }

    /// The bytes that came from the port behind this, on all connections so far.
    long sent() {
        return sent.get();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel caller = listening.accept();
                SocketChannel worker =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                open.add(caller);
                open.add(worker);
                Thread.ofPlatform().name("proxy-in").daemon().start(() -> pass(caller, worker, new AtomicLong()));
                Thread.ofPlatform().name("proxy-out").daemon().start(() -> pass(worker, caller, sent));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private static void pass(SocketChannel from, SocketChannel to, AtomicLong count) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        try (from;
                to) {
            while (from.read(bytes.clear()) >= 0) {
                bytes.flip();
                count.addAndGet(bytes.remaining());
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }
        } catch (IOException e) {
            // One side has ended; so does the other.
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (SocketChannel each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
