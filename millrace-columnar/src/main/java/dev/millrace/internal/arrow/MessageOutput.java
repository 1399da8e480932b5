package dev.millrace.internal.arrow;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.RunCopy;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The target of messages, written piece by piece. One thread.
public abstract sealed class MessageOutput implements AutoCloseable
        permits MessageOutput.ToChannel, MessageOutput.ToMemory, PieceTarget {
    private long position;

    MessageOutput() {}

    /// The number of bytes written so far.
    final long position() {
        return position;
    }

    /// Writes the pieces in order.
    ///
    /// @param owner closed when its pieces are no longer needed, also on failure; may be null
    final void write(List<MemorySegment> pieces, @Nullable EncodedMessage owner) {
        long bytes = 0;
        for (MemorySegment piece : pieces) {
            bytes += piece.byteSize();
        }
        accept(pieces, owner);
        position += bytes;
    }

    /// Accounts for bytes that were written by other means.
    final void advance(long bytes) {
        position += bytes;
    }

    abstract void accept(List<MemorySegment> pieces, @Nullable EncodedMessage owner);

    @Override
    public abstract void close();

    /// A channel, which is closed with the target. All pieces of a message are written in one gathering write if the
    /// channel supports it.
    public static final class ToChannel extends MessageOutput {
        private static final long MAX_PIECE = 1 << 30;

        private final WritableByteChannel channel;

        public ToChannel(WritableByteChannel channel) {
            this.channel = channel;
        }

        @Override
        void accept(List<MemorySegment> pieces, @Nullable EncodedMessage owner) {
            try (owner) {
                List<ByteBuffer> buffers = new ArrayList<>();
                for (MemorySegment piece : pieces) {
                    for (long at = 0; at < piece.byteSize(); at += MAX_PIECE) {
                        buffers.add(piece.asSlice(at, Math.min(MAX_PIECE, piece.byteSize() - at))
                                .asByteBuffer());
                    }
                }
                if (channel instanceof GatheringByteChannel gathering) {
                    gather(gathering, buffers.toArray(ByteBuffer[]::new));
                } else {
                    for (ByteBuffer buffer : buffers) {
                        while (buffer.hasRemaining()) {
                            channel.write(buffer);
                        }
                    }
                }
            } catch (IOException e) {
                throw new MillraceException(
                        Culprit.RESOURCES,
                        "Arrow data could not be written at byte " + position() + ": " + e.getMessage(),
                        e);
            }
        }

        private static void gather(GatheringByteChannel channel, ByteBuffer[] buffers) throws IOException {
            int next = 0;
            while (next < buffers.length) {
                channel.write(buffers, next, buffers.length - next);
                while (next < buffers.length && !buffers[next].hasRemaining()) {
                    next++;
                }
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new MillraceException(
                        Culprit.RESOURCES, "Arrow data could not be finished: " + e.getMessage(), e);
            }
        }
    }

    /// Memory: pieces are kept until [#toBuffer] copies them once into a buffer of the right size.
    public static final class ToMemory extends MessageOutput {
        private final List<MemorySegment> kept = new ArrayList<>();
        private final List<EncodedMessage> owners = new ArrayList<>();

        @Override
        void accept(List<MemorySegment> pieces, @Nullable EncodedMessage owner) {
            kept.addAll(pieces);
            if (owner != null) {
                owners.add(owner);
            }
        }

        public Buffer toBuffer(Allocator allocator) {
            Buffer buffer = allocator.allocate(position());
            copyTo(buffer.segment(), RunCopy.PLAIN);
            return buffer;
        }

        /// Copies all pieces, one after the other.
        public void copyTo(MemorySegment target, RunCopy copy) {
            long at = 0;
            for (MemorySegment piece : kept) {
                copy.copy(piece, 0, target, at, piece.byteSize());
                at += piece.byteSize();
            }
        }

        /// All that was written so far, valid until this is closed.
        public List<MemorySegment> pieces() {
            return kept;
        }

        /// The number of bytes of all pieces.
        public long length() {
            return position();
        }

        @Override
        public void close() {
            owners.forEach(EncodedMessage::close);
            owners.clear();
            kept.clear();
        }
    }
}
