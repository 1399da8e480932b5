package dev.millrace.internal.cluster.link;

import dev.millrace.block.Block;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.IpcMessage;
import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Answers the requests of one connection, one after the other, until it ends. A request is the number of a block, its
/// first row and the number of rows; the answer is a length and an Arrow stream, or the message of an error. While rows
/// are read back or wait for memory, a head without a body is sent each second, so that the other side can tell a slow
/// answer from a dead network. Uncompressed values go from the block's memory to the socket.
public final class BlockServer {
    static final int REQUEST_BYTES = 3 * Long.BYTES + 1;
    static final byte ROWS = 1;
    static final byte ERROR = 2;
    /// The rows are not ready yet; another head follows.
    static final byte WAITS = 3;
    /// The block is not here, and will not come back.
    static final byte GONE = 4;

    static final int HEAD_BYTES = 1 + Long.BYTES;

    private final BlockSource source;
    private final Allocator scratch;

    /// @param scratch for compressed and shifted values
    public BlockServer(BlockSource source, Allocator scratch) {
        this.source = source;
        this.scratch = scratch;
    }

    /// Serves on this thread until the other side closes the link.
    public void serve(Link link) {
        ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES);
        try (link) {
            while (true) {
                request.clear();
                link.readFully(request);
                answer(link, request.getLong(), request.getLong(), request.getLong(), request.get() == 1);
            }
        } catch (IOException | MillraceException e) {
            // The other side is gone, or was told by the end of the link in the middle of a block.
        }
    }

    private void answer(Link link, long number, long from, long rows, boolean compressed) throws IOException {
        Block block;
        IpcMessage message;
        try (LifeSigns _ = new LifeSigns(link)) {
            block = source.rows(number, from, rows);
            try {
                message = IpcMessage.of(
                        block.schema(), List.of(block), compressed ? IpcCompression.LZ4 : IpcCompression.NONE, scratch);
            } catch (RuntimeException e) {
                block.close();
                throw e;
            }
        } catch (RuntimeException e) {
            refuse(link, e);
            return;
        }
        try (block;
                message) {
            link.writeFully(ByteBuffer.allocate(HEAD_BYTES)
                    .put(ROWS)
                    .putLong(message.length())
                    .flip());
            message.writeTo(link.out());
        }
    }

    private static void refuse(Link link, RuntimeException e) throws IOException {
        byte[] text = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
        link.writeFully(ByteBuffer.allocate(HEAD_BYTES + text.length)
                .put(e instanceof BlockSource.BlockGone ? GONE : ERROR)
                .putLong(text.length)
                .put(text)
                .flip());
    }

    /// Says each second that an answer is being made, until it is closed. Thread-safe.
    private static final class LifeSigns implements Heartbeat.Ticking, AutoCloseable {
        private final Link link;
        private final AtomicBoolean busy = new AtomicBoolean();
        private volatile long said = System.nanoTime();
        /// Guarded by the monitor, under which signs are written: none follows the answer.
        private boolean answered;

        LifeSigns(Link link) {
            this.link = link;
            Heartbeat.add(this);
        }

        @Override
        public void tick(long now, boolean late) {
            if (now - said >= Heartbeat.PULSE_NANOS && busy.compareAndSet(false, true)) {
                said = now;
                Thread.ofVirtual().name("millrace-life-sign").start(this::say);
            }
        }

        private synchronized void say() {
            try {
                if (!answered) {
                    link.writeFully(ByteBuffer.allocate(HEAD_BYTES)
                            .put(WAITS)
                            .putLong(0)
                            .flip());
                }
            } catch (IOException e) {
                // The answer finds it broken too.
            } finally {
                busy.set(false);
            }
        }

        @Override
        public void close() {
            Heartbeat.remove(this);
            synchronized (this) {
                answered = true;
            }
        }
    }
}
