package dev.millrace.internal.cluster.link;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One connection: a blocking socket, encrypted or not. One thread reads and one writes; any thread may close it, which
/// ends both.
public final class Link implements AutoCloseable {
    private static final int SOCKET_BUFFER = 1 << 20;

    private final SocketChannel socket;
    private final ReadableByteChannel in;
    private final WritableByteChannel out;

    private Link(SocketChannel socket, @Nullable SSLSocket encrypted) throws IOException {
        this.socket = socket;
        this.in = encrypted == null ? socket : Channels.newChannel(encrypted.getInputStream());
        this.out = encrypted == null ? socket : Channels.newChannel(encrypted.getOutputStream());
    }

    /// @param tls null: not encrypted
    static Link connect(String host, int port, @Nullable TlsKeys tls, int timeoutMillis) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            prepare(socket);
            socket.socket().connect(new InetSocketAddress(host, port), timeoutMillis);
            return new Link(socket, tls == null ? null : tls.client(socket.socket(), host, port));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /// @param socket that was accepted; owned from here
    public static Link accepted(SocketChannel socket, @Nullable TlsKeys tls) throws IOException {
        try {
            prepare(socket);
            return new Link(socket, tls == null ? null : tls.server(socket.socket()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static void prepare(SocketChannel socket) throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        socket.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
        socket.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
    }

    public ReadableByteChannel in() {
        return in;
    }

    public WritableByteChannel out() {
        return out;
    }

    /// Whether the other end is on this machine, so that bytes are cheaper than CPU time.
    public boolean isLocal() {
        InetAddress address = socket.socket().getInetAddress();
        return address == null
                || address.isLoopbackAddress()
                || address.equals(socket.socket().getLocalAddress());
    }

    void readFully(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (in.read(target) < 0) {
                throw new EOFException("the connection was closed");
            }
        }
        target.flip();
    }

    void writeFully(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            out.write(source);
        }
    }

    boolean isOpen() {
        return socket.isOpen();
    }

    /// Closes it from a thread that must not wait.
    void closeSoon() {
        Thread.ofVirtual().start(this::close);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
