package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.arrow.MessageEncoder.Pair;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lays out columns as the body of one record batch. Memory that already has Arrow's layout is referenced, not copied:
/// only shifted bits, rebased or converted offsets and compressed buffers take memory, which the message then owns. For
/// one batch, one thread; [#close] without a message releases that memory.
final class BatchWriter implements AutoCloseable {
    private static final MemorySegment STORED = storedPrefix();

    private final Allocator allocator;
    private final @Nullable BufferCodec codec;
    private final DictionaryWriter dictionaries;
    private final boolean piecewise;
    private final List<BodyPart> parts = new ArrayList<>();
    private final List<Pair> nodes = new ArrayList<>();
    private final List<Pair> buffers = new ArrayList<>();
    private final List<MemorySegment> body = new ArrayList<>();
    private List<Buffer> scratch = new ArrayList<>();
    private long bodyLength;

    /// @param codec null for no compression
    /// @param piecewise for [#plainBatch] and [#plainDictionary]: nothing is compressed or copied here
    BatchWriter(Allocator allocator, @Nullable BufferCodec codec, DictionaryWriter dictionaries, boolean piecewise) {
        this.allocator = allocator;
        this.codec = codec;
        this.dictionaries = dictionaries;
        this.piecewise = piecewise;
    }

    private static MemorySegment storedPrefix() {
        MemorySegment prefix = Arena.global().allocate(Long.BYTES, Long.BYTES);
        prefix.set(JAVA_LONG, 0, BufferCodec.STORED);
        return prefix;
    }

    EncodedMessage batch(long rows) {
        return message(MessageEncoder.batch(rows, nodes, buffers, codec, bodyLength));
    }

    EncodedMessage dictionary(long id, boolean delta, long rows) {
        return message(MessageEncoder.dictionary(id, delta, rows, nodes, buffers, codec, bodyLength));
    }

    PlainMessage plainBatch(long rows) {
        return plain((places, length) -> MessageEncoder.batch(rows, nodes, places, codec, length));
    }

    PlainMessage plainDictionary(long id, boolean delta, long rows) {
        return plain((places, length) -> MessageEncoder.dictionary(id, delta, rows, nodes, places, codec, length));
    }

    private PlainMessage plain(PlainMessage.Metadata metadata) {
        PlainMessage message = new PlainMessage(parts, codec, metadata, scratch);
        scratch = new ArrayList<>();
        return message;
    }

    private EncodedMessage message(java.nio.ByteBuffer metadata) {
        EncodedMessage message = new EncodedMessage(metadata, body, bodyLength, scratch);
        scratch = new ArrayList<>();
        return message;
    }

    void add(WireField field, Column column) {
        Column plain = column instanceof DictionaryColumn encoded ? dictionaries.indices(field, encoded, this) : column;
        nodes.add(new Pair(plain.length(), plain.nullCount()));
        if (!(plain instanceof NullColumn)) {
            validity(plain);
        }
        switch (plain) {
            case NullColumn _ -> {}
            case BooleanColumn booleans -> bits(booleans.dataBuffer().segment(), booleans.offset(), plain.length());
            case TensorColumn tensors -> {
                nodes.add(new Pair(tensors.length() * tensors.type().elements(), 0));
                part(EncodedMessage.zeros(0));
                part(tensors.values());
            }
            case FixedWidthColumn fixed -> part(fixed.values());
            case VariableWidthColumn strings -> {
                offsets(strings, ((ArrowLayout.Variable) field.layout()).offsetWidth());
                part(strings.dataSegment().asSlice(strings.first(), strings.extent()));
            }
            case ListColumn list -> {
                offsets(list, ((ArrowLayout.Lists) field.layout()).offsetWidth());
                add(field.child(0), list.elements().slice(list.first(), list.extent()));
            }
            case MapColumn map -> {
                offsets(map, Integer.BYTES);
                nodes.add(new Pair(map.extent(), 0));
                part(EncodedMessage.zeros(0));
                add(field.child(0).child(0), map.keys().slice(map.first(), map.extent()));
                add(field.child(0).child(1), map.items().slice(map.first(), map.extent()));
            }
            case FixedListColumn list -> add(field.child(0), list.elements());
            case StructColumn struct -> {
                for (int i = 0; i < struct.size(); i++) {
                    add(field.child(i), struct.child(i));
                }
            }
            case VariableTensorColumn tensors -> {
                add(field.child(0), tensors.data());
                add(field.child(1), tensors.shapes());
            }
            case DictionaryColumn _ -> throw new IllegalStateException("a dictionary's indices are no dictionary");
        }
    }

    private void validity(Column column) {
        Buffer validity = column.validityBuffer();
        if (validity == null || column.nullCount() == 0) {
            part(EncodedMessage.zeros(0));
        } else {
            bits(validity.segment(), column.validityOffset(), column.length());
        }
    }

    /// Bits starting at `offset`, unchanged if that is a byte boundary, else shifted.
    private void bits(MemorySegment bits, long offset, long count) {
        long bytes = (count + 7) / 8;
        if ((offset & 7) == 0) {
            part(bits.asSlice(offset / 8, bytes));
            return;
        }
        made(new BodyPart.ShiftedBits(bits, offset, count));
    }

    /// Offsets that start at 0 and have the width of the field.
    private void offsets(OffsetColumn column, int width) {
        long length = column.length();
        if (length == 0) {
            part(EncodedMessage.zeros(width));
            return;
        }
        if (column.first() == 0 && column.offsetWidth() == width) {
            part(column.offsets());
        } else {
            made(new BodyPart.RebasedOffsets(column, width));
        }
    }

    /// The next buffer, which is generated on demand.
    private void made(BodyPart part) {
        if (piecewise) {
            parts.add(part);
        } else {
            part(part.piece(0, part.bytes(), allocate(part.bytes()).segment()));
        }
    }

    /// Memory that lives as long as the message.
    Buffer allocate(long bytes) {
        Buffer buffer = allocator.allocate(bytes);
        scratch.add(buffer);
        return buffer;
    }

    /// Takes ownership of a reference until the message is closed.
    void own(Buffer buffer) {
        scratch.add(buffer);
    }

    /// The next buffer of the batch.
    private void part(MemorySegment bytes) {
        if (piecewise) {
            parts.add(new BodyPart.InMemory(bytes));
            return;
        }
        long start = bodyLength;
        if (bytes.byteSize() == 0) {
            buffers.add(new Pair(start, 0));
            return;
        }
        if (codec == null) {
            append(bytes);
        } else {
            long[] length = new long[1];
            Buffer compressed = codec.compress(bytes, allocator, length);
            if (compressed == null) {
                append(STORED);
                append(bytes);
            } else {
                scratch.add(compressed);
                append(compressed.segment().asSlice(0, length[0]));
            }
        }
        buffers.add(new Pair(start, bodyLength - start));
        append(EncodedMessage.padding(bodyLength));
    }

    private void append(MemorySegment piece) {
        if (piece.byteSize() > 0) {
            body.add(piece);
            bodyLength += piece.byteSize();
        }
    }

    @Override
    public void close() {
        scratch.forEach(Buffer::release);
        scratch.clear();
    }
}
