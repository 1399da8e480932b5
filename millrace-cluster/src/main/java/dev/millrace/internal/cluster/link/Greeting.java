package dev.millrace.internal.cluster.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The first frame of a connection. It holds the token, and nothing is deserialised before that is right.
///
/// @param session the driver's, unique
/// @param node the name of the worker that is called, for its driver
/// @param index of that worker among all that the driver ever had
/// @param compresses whether blocks are compressed for other machines
/// @param sendsCode whether the driver sends the classes of its programs; else the worker has them
public record Greeting(Kind kind, String session, String node, int index, boolean compresses, boolean sendsCode) {
    /// What the connection is for.
    public enum Kind {
        /// Messages of a driver, and the worker's.
        MESSAGES,
        /// The caller fetches blocks.
        FETCH,
        /// The caller is a driver whose blocks the worker may fetch.
        SERVE
    }

    private static final int MAGIC = 0x4d4c5243;
    /// Both sides must have the same.
    static final int VERSION = 1;

    private static final int MAX_BYTES = 4096;
    private static final int TIMEOUT_MILLIS = 10_000;
    /// With a silence before it, as long as a peer is tried.
    private static final int CONNECT_MILLIS = 3_000;
    private static final byte WELCOME = 1;
    private static final byte REFUSED = 0;
    private static final int COMPRESSES = 1;
    private static final int SENDS_CODE = 2;

    /// The same for another kind of connection.
    public Greeting of(Kind other, String otherNode) {
        return new Greeting(other, session, otherNode, index, compresses, sendsCode);
    }

    /// Opens a connection and greets.
    ///
    /// @throws IOException with a sentence, if nobody listens there or the worker refuses
    public Link open(String host, int port, String token, @Nullable TlsKeys tls) throws IOException {
        Link link = Link.connect(host, port, tls, CONNECT_MILLIS);
        try (Deadline _ = new Deadline(link)) {
            byte[] tokenBytes = token.getBytes(StandardCharsets.UTF_8);
            byte[] sessionBytes = session.getBytes(StandardCharsets.UTF_8);
            byte[] nodeBytes = node.getBytes(StandardCharsets.UTF_8);
            ByteBuffer frame = ByteBuffer.allocate(MAX_BYTES);
            frame.putInt(MAGIC).putInt(0).put((byte) VERSION).put((byte) kind.ordinal());
            for (byte[] each : new byte[][] {tokenBytes, sessionBytes, nodeBytes}) {
                frame.putInt(each.length).put(each);
            }
            frame.putInt(index).put((byte) ((compresses ? COMPRESSES : 0) | (sendsCode ? SENDS_CODE : 0)));
            frame.putInt(4, frame.position() - 8);
            link.writeFully(frame.flip());
            ByteBuffer answer = ByteBuffer.allocate(1);
            link.readFully(answer);
            return switch (answer.get()) {
                case WELCOME -> link;
                case REFUSED -> throw new IOException("its worker has another token, or another version of Millrace");
                // The first byte of an alert, among others.
                default ->
                    throw new IOException("what listens there does not answer as a worker of Millrace does: it is"
                            + " none, or its connections are encrypted (--tls) and those of this session are not");
            };
        } catch (EOFException e) {
            link.close();
            throw new IOException(
                    "the connection was closed at the greeting: the worker has another token, another"
                            + " version of Millrace, or other settings of encryption",
                    e);
        } catch (SSLException e) {
            link.close();
            throw new IOException(
                    "its worker has other keys of encrypted connections than this session, or none: " + e.getMessage(),
                    e);
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /// Reads the greeting of a caller and answers it.
    ///
    /// @return null if it was refused, and the link closed
    public static @Nullable Greeting receive(Link link, String token) throws IOException {
        try (Deadline _ = new Deadline(link)) {
            ByteBuffer head = ByteBuffer.allocate(8);
            link.readFully(head);
            int magic = head.getInt();
            int length = head.getInt();
            if (magic != MAGIC || length < 0 || length > MAX_BYTES) {
                link.close();
                return null;
            }
            ByteBuffer frame = ByteBuffer.allocate(length);
            link.readFully(frame);
            Greeting greeting = parse(frame, token);
            link.writeFully(ByteBuffer.wrap(new byte[] {greeting == null ? REFUSED : WELCOME}));
            if (greeting == null) {
                link.close();
            }
            return greeting;
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private static @Nullable Greeting parse(ByteBuffer frame, String token) {
        try {
            int version = frame.get();
            int kind = frame.get();
            byte[] given = bytes(frame);
            // Both are hashed, so that the time of the comparison says nothing about the token.
            boolean known = MessageDigest.isEqual(hash(given), hash(token.getBytes(StandardCharsets.UTF_8)));
            if (!known || version != VERSION || kind < 0 || kind >= Kind.values().length) {
                return null;
            }
            return new Greeting(
                    Kind.values()[kind],
                    new String(bytes(frame), StandardCharsets.UTF_8),
                    new String(bytes(frame), StandardCharsets.UTF_8),
                    frame.getInt(),
                    (frame.get(frame.position()) & COMPRESSES) != 0,
                    (frame.get() & SENDS_CODE) != 0);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] bytes(ByteBuffer frame) {
        int length = frame.getInt();
        if (length < 0 || length > frame.remaining()) {
            throw new IllegalArgumentException("a length beyond the frame");
        }
        byte[] bytes = new byte[length];
        frame.get(bytes);
        return Arrays.copyOf(bytes, length);
    }

    private static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Closes a link whose greeting takes too long.
    private static final class Deadline implements AutoCloseable {
        private final AtomicBoolean done = new AtomicBoolean();

        Deadline(Link link) {
            Heartbeat.after(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS, () -> {
                if (!done.get()) {
                    link.close();
                }
            });
        }

        @Override
        public void close() {
            done.set(true);
        }
    }
}
