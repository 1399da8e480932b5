package dev.millrace.internal.arrow;

import dev.millrace.memory.Buffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// A message ready to be written: its metadata, and the pieces of its body, most of them views of the block's own
/// memory. The block must live until the message is closed, which releases the memory allocated for it.
final class EncodedMessage implements AutoCloseable {
    static final int ALIGNMENT = 64;
    private static final MemorySegment ZEROS = Arena.global().allocate(ALIGNMENT, ALIGNMENT);
    private static final int PREFIX_BYTES = 8;

    private final ByteBuffer metadata;
    private final List<MemorySegment> body;
    private final long bodyLength;
    private final List<Buffer> scratch;

    EncodedMessage(ByteBuffer metadata, List<MemorySegment> body, long bodyLength, List<Buffer> scratch) {
        this.metadata = metadata;
        this.body = body;
        this.bodyLength = bodyLength;
        this.scratch = scratch;
    }

    /// Zero bytes up to the next multiple of 64 after `position`.
    static MemorySegment padding(long position) {
        return ZEROS.asSlice(0, -position & (ALIGNMENT - 1));
    }

    static MemorySegment zeros(long bytes) {
        return ZEROS.asSlice(0, bytes);
    }

    long bodyLength() {
        return bodyLength;
    }

    /// Marker, length and metadata, padded so that the body starts at a multiple of 64.
    MemorySegment head(long position) {
        return head(metadata, headBytes(metadata, position));
    }

    static int headBytes(ByteBuffer metadata, long position) {
        long end = position + PREFIX_BYTES + metadata.remaining();
        return Math.toIntExact(
                PREFIX_BYTES + metadata.remaining() + padding(end).byteSize());
    }

    /// The same padded to this many bytes, which must be enough.
    static MemorySegment head(ByteBuffer metadata, int bytes) {
        MemorySegment head = MemorySegment.ofArray(new byte[bytes]);
        head.set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
        head.set(ValueLayout.JAVA_INT_UNALIGNED, 4, bytes - PREFIX_BYTES);
        MemorySegment.copy(MemorySegment.ofBuffer(metadata), 0, head, PREFIX_BYTES, metadata.remaining());
        return head;
    }

    /// The whole message in order.
    List<MemorySegment> pieces(MemorySegment head) {
        List<MemorySegment> pieces = new ArrayList<>(body.size() + 1);
        pieces.add(head);
        pieces.addAll(body);
        return pieces;
    }

    @Override
    public void close() {
        scratch.forEach(Buffer::release);
        scratch.clear();
    }
}
