package dev.millrace.internal.arrow;

import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/// The nodes and buffers of one record batch, consumed in order; every length is checked before memory is allocated.
/// Buffers are owned by this object until [#handOver]; [#close] without it releases them. One thread.
final class BatchBuffers implements AutoCloseable {
    private static final Buffer EMPTY =
            Buffer.unowned(Arena.global().allocate(64, 64).asSlice(0, 0));

    /// The number of a field's values, and of nulls as declared by the writer (at most `length`).
    record Node(long length, long nulls) {}

    private final RecordBatch batch;
    private final IpcInput source;
    private final long bodyLength;
    private final Allocator allocator;
    private final String where;
    private final @Nullable BufferCodec codec;
    private final List<Buffer> kept = new ArrayList<>();
    private final long bodyStart;
    private int nextNode;
    private int nextBuffer;
    private int nextVariadic;

    /// @param source positioned at the start of the batch's body
    /// @param where the name of the input, for errors: "Arrow stream (record batch 3)"
    BatchBuffers(RecordBatch batch, IpcInput source, long bodyLength, Allocator allocator, String where) {
        this.batch = batch;
        this.source = source;
        this.bodyLength = bodyLength;
        this.allocator = allocator;
        this.where = where;
        this.codec = codec(batch.compression());
        this.bodyStart = source.position();
    }

    private @Nullable BufferCodec codec(@Nullable BodyCompression compression) {
        if (compression == null) {
            return null;
        }
        if (compression.method() != BodyCompressionMethod.BUFFER) {
            throw ArrowErrors.at(where, "compression method " + compression.method() + " is unknown");
        }
        IpcCompression kind = BufferCodec.fromArrow(compression.codec(), where);
        return source.codec(kind);
    }

    Allocator allocator() {
        return allocator;
    }

    Node node(WireField field) {
        if (nextNode >= batch.nodesLength()) {
            throw malformed(field, "there are only " + batch.nodesLength() + " nodes");
        }
        FieldNode node = batch.nodes(nextNode++);
        if (node.length() < 0 || node.nullCount() < 0 || node.nullCount() > node.length()) {
            throw malformed(field, node.nullCount() + " of " + node.length() + " values are null");
        }
        return new Node(node.length(), node.nullCount());
    }

    /// The number of data buffers of the next view column.
    int variadicCount(WireField field) {
        if (nextVariadic >= batch.variadicBufferCountsLength()) {
            throw malformed(field, "the count of its data buffers is missing");
        }
        long count = batch.variadicBufferCounts(nextVariadic++);
        if (count < 0 || count > batch.buffersLength() - nextBuffer) {
            throw malformed(field, "it claims " + count + " data buffers");
        }
        return (int) count;
    }

    /// Skips a field that is not wanted, including its children.
    void skip(WireField field) {
        nextNode++;
        nextBuffer += switch (field.layout()) {
            case ArrowLayout.Nothing _ -> 0;
            case ArrowLayout.Bit _,
                    ArrowLayout.Fixed _,
                    ArrowLayout.Date64 _,
                    ArrowLayout.NarrowDecimal _,
                    ArrowLayout.FixedBinary _,
                    ArrowLayout.Lists _,
                    ArrowLayout.Maps _,
                    ArrowLayout.Indexed _ -> 2;
            case ArrowLayout.Variable _ -> 3;
            case ArrowLayout.View _ -> 2 + variadicCount(field);
            case ArrowLayout.FixedLists _,
                    ArrowLayout.Structs _,
                    ArrowLayout.Tensors _,
                    ArrowLayout.VariableTensors _ -> 1;
        };
        if (!(field.layout() instanceof ArrowLayout.Indexed)) {
            field.children().forEach(this::skip);
        }
    }

    /// The validity bits, or null if nothing is null.
    @Nullable
    Buffer validity(WireField field, Node node) {
        if (node.nulls() == 0) {
            nextBuffer++;
            return null;
        }
        return take(field, bytes(field, (node.length() + 7) / 8, 1));
    }

    /// The next buffer, uncompressed, which must have at least `count * width` bytes: exactly that many of them.
    Buffer take(WireField field, long count, int width) {
        return take(field, bytes(field, count, width));
    }

    private long bytes(WireField field, long count, int width) {
        try {
            return Math.multiplyExact(count, width);
        } catch (ArithmeticException _) {
            throw malformed(field, "it claims " + count + " values of " + width + " bytes");
        }
    }

    /// The next buffer as a whole.
    Buffer takeAll(WireField field) {
        return take(field, -1);
    }

    /// @param need the number of bytes, or -1 for all
    private Buffer take(WireField field, long need) {
        if (nextBuffer >= batch.buffersLength()) {
            throw malformed(field, "there are only " + batch.buffersLength() + " buffers");
        }
        var place = batch.buffers(nextBuffer++);
        long offset = place.offset();
        long length = place.length();
        if (need == 0 || need == -1 && length == 0) {
            return EMPTY;
        }
        if (offset < 0 || length < 0 || offset > bodyLength || length > bodyLength - offset) {
            throw malformed(
                    field, "a buffer lies at " + offset + " with " + length + " bytes in a body of " + bodyLength);
        }
        long gap = bodyStart + offset - source.position();
        if (gap < 0) {
            throw malformed(field, "its buffer at " + offset + " overlaps the one before");
        }
        source.skip(gap);
        Buffer buffer = codec == null ? plain(field, need, length) : compressed(codec, field, need, length);
        kept.add(buffer);
        return buffer;
    }

    private Buffer plain(WireField field, long need, long length) {
        requireBytes(field, need, length);
        return source.take(need == -1 ? length : need);
    }

    private Buffer compressed(BufferCodec codec, WireField field, long need, long length) {
        requireBytes(field, BufferCodec.PREFIX_BYTES, length);
        long bytes = source.metadata(BufferCodec.PREFIX_BYTES, false).getLong();
        long stored = length - BufferCodec.PREFIX_BYTES;
        if (bytes == BufferCodec.STORED) {
            return plain(field, need, stored);
        }
        requireBytes(field, need, bytes);
        return source.decompress(codec, stored, bytes, allocator, where + ", field '" + field.name() + "'");
    }

    private void requireBytes(WireField field, long need, long there) {
        if (need > there) {
            throw malformed(field, "a buffer has " + there + " bytes, its values take " + need);
        }
    }

    /// Memory for converted values; released on failure like the buffers that were read.
    Buffer allocate(long bytes) {
        Buffer buffer = allocator.allocate(bytes);
        kept.add(buffer);
        return buffer;
    }

    /// Adds a reference to memory that a column shares with others; released on failure.
    void share(Buffer buffer) {
        kept.add(buffer.retain());
    }

    /// Releases a buffer that no column needs.
    void drop(Buffer buffer) {
        if (kept.remove(buffer)) {
            buffer.release();
        }
    }

    MillraceException malformed(WireField field, String what) {
        return ArrowErrors.at(where, "field '" + field.name() + "': " + what);
    }

    /// Moves the source to the end of the body; ownership of the buffers passes to the columns built from them.
    void handOver() {
        source.skip(bodyStart + bodyLength - source.position());
        kept.clear();
    }

    @Override
    public void close() {
        kept.forEach(Buffer::release);
        kept.clear();
    }
}
