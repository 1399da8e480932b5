package dev.millrace.internal.cluster.link;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryTurn;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/// A request for rows of a block that was sent; the answer is taken by [#finish]. Until then it is in the buffers of
/// the system, as far as it fits there, so that a request may be made before its rows are needed without memory of its
/// own. One thread.
final class BlockFetch implements AutoCloseable {
    private static final long READ_STEP = 1 << 30;
    private static final int MAX_ERROR = 1 << 16;

    private final Link link;

    /// @param link on which nothing else is under way; owned from here
    BlockFetch(Link link, long number, long from, long rows, boolean compressed) throws IOException {
        this.link = link;
        try {
            ByteBuffer request = ByteBuffer.allocate(BlockServer.REQUEST_BYTES);
            request.putLong(number).putLong(from).putLong(rows).put((byte) (compressed ? 1 : 0));
            link.writeFully(request.flip());
        } catch (IOException e) {
            link.close();
            throw e;
        }
    }

    /// The rows, as a block that the caller closes; the link can be used again then.
    ///
    /// While it waits for the other side, which may itself wait for memory, a task does not count as one that will
    /// release some, and may be asked to make room.
    ///
    /// @throws IOException if the connection fails, or nothing comes for some seconds; the link is closed
    /// @throws BlockSource.BlockGone if the other side has lost the block
    /// @throws MillraceException if the other side has no such block
    Block finish(Allocator account) throws IOException {
        boolean done = false;
        try {
            ByteBuffer head = head();
            byte kind = head.get();
            long length = head.getLong();
            if ((kind == BlockServer.ERROR || kind == BlockServer.GONE) && length >= 0 && length <= MAX_ERROR) {
                ByteBuffer text = ByteBuffer.allocate((int) length);
                try (SilenceWatch watch = new SilenceWatch(link)) {
                    watch.readFully(text);
                }
                done = true;
                String why = StandardCharsets.UTF_8.decode(text).toString();
                throw kind == BlockServer.GONE
                        ? new BlockSource.BlockGone(why)
                        : MillraceException.internal("a block could not be fetched: " + why);
            }
            if (kind != BlockServer.ROWS || length < 0) {
                throw new IOException("an answer of kind " + kind + " with " + length + " bytes");
            }
            Block block = rows(account, length);
            done = true;
            return block;
        } finally {
            if (!done) {
                link.close();
            }
        }
    }

    private ByteBuffer head() throws IOException {
        MemoryTurn turn = MemoryTurn.ofThread();
        if (turn == null) {
            return readHead();
        }
        AtomicBoolean asked = new AtomicBoolean();
        turn.pauseForOther(() -> {
            asked.set(true);
            link.closeSoon();
        });
        ByteBuffer head;
        try {
            head = readHead();
        } catch (IOException e) {
            if (asked.get()) {
                throw turn.yields();
            }
            throw e;
        } finally {
            turn.resumeAfterOther();
        }
        if (asked.get()) {
            throw turn.yields();
        }
        return head;
    }

    /// The head of the answer, after any that say only that the other side lives.
    private ByteBuffer readHead() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(BlockServer.HEAD_BYTES);
        try (SilenceWatch watch = new SilenceWatch(link)) {
            do {
                watch.readFully(head.clear());
            } while (head.get(0) == BlockServer.WAITS);
        }
        return head;
    }

    private Block rows(Allocator account, long length) throws IOException {
        Buffer bytes = account.allocate(length);
        try (SilenceWatch watch = new SilenceWatch(link)) {
            MemorySegment target = bytes.segment();
            for (long at = 0; at < length; ) {
                long step = Math.min(READ_STEP, length - at);
                ByteBuffer part = target.asSlice(at, step).asByteBuffer();
                while (part.hasRemaining()) {
                    if (watch.read(part) < 0) {
                        throw new IOException("the connection was closed after " + (at + part.position()) + " of "
                                + length + " bytes");
                    }
                }
                at += step;
            }
            return BlockBytes.decode(bytes, account);
        } finally {
            bytes.release();
        }
    }

    Link link() {
        return link;
    }

    /// The rows are not needed.
    @Override
    public void close() {
        link.close();
    }
}
