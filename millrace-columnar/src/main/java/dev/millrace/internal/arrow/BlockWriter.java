package dev.millrace.internal.arrow;

import static java.util.Objects.requireNonNull;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.MessageEncoder.Place;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes blocks as a stream or a file to a [MessageOutput]. The schema is written with the first block, whose columns
/// determine the width of offsets.
public final class BlockWriter implements AutoCloseable {
    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    private final MessageOutput target;
    /// The target if it accepts uncompressed messages.
    private final @Nullable PieceTarget inPieces;

    private final Schema schema;
    private final Allocator allocator;
    private final @Nullable BufferCodec codec;
    private final boolean file;
    private final long offsetLimit;
    private final DictionaryWriter dictionaries;
    private final List<Place> dictionaryPlaces = new ArrayList<>();
    private final List<Place> batchPlaces = new ArrayList<>();
    private final DictionaryWriter.Out dictionaryOut = new DictionaryWriter.Out() {
        @Override
        public void send(EncodedMessage message) {
            dictionaryPlaces.add(BlockWriter.this.send(message));
        }

        @Override
        public void send(PlainMessage message) {
            dictionaryPlaces.add(requireNonNull(inPieces, "plain messages are made for piecewise targets only")
                    .send(message));
        }
    };
    private @Nullable WireSchema wire;
    private boolean broken;
    private boolean finished;

    /// @param allocator for data that cannot be written from the blocks' own memory
    public BlockWriter(
            MessageOutput target, Schema schema, IpcCompression compression, Allocator allocator, boolean file) {
        this(target, schema, compression, allocator, file, Integer.MAX_VALUE);
    }

    /// @param offsetLimit the largest 32-bit offset; lower in tests
    BlockWriter(
            MessageOutput target,
            Schema schema,
            IpcCompression compression,
            Allocator allocator,
            boolean file,
            long offsetLimit) {
        this.target = target;
        this.schema = schema;
        this.allocator = allocator;
        this.file = file;
        this.offsetLimit = offsetLimit;
        this.inPieces = target instanceof PieceTarget pieces ? pieces : null;
        this.codec = codec(compression);
        this.dictionaries = new DictionaryWriter(allocator, codec, file, inPieces != null);
    }

    private @Nullable BufferCodec codec(IpcCompression compression) {
        if (compression == IpcCompression.NONE) {
            return null;
        }
        return inPieces == null ? new BufferCodec(compression) : inPieces.codec(compression);
    }

    public long bytesWritten() {
        return target.position();
    }

    public void write(Block block) {
        if (!block.schema().equals(schema)) {
            throw MillraceException.user(
                    "A block of (" + block.schema() + ") cannot be written to Arrow data of (" + schema + ").");
        }
        broken = true; // until this block is out: what follows half a message is no stream
        WireSchema layout = start(block.columns());
        writeSplit(layout, block.columns(), block.rows());
        broken = false;
    }

    /// Writes the schema if that has not been done; returns its layout.
    ///
    /// @param columns those of the first block, or null if there is none
    private WireSchema start(@Nullable List<Column> columns) {
        if (wire != null) {
            return wire;
        }
        WireSchema layout = WireLayouts.of(schema, columns);
        wire = layout;
        if (file) {
            ByteBuffer magic = ByteBuffer.allocate(8).put(MAGIC);
            target.write(List.of(MemorySegment.ofArray(magic.array())), null);
        }
        send(new EncodedMessage(MessageEncoder.schema(layout), List.of(), 0, new ArrayList<>()));
        return layout;
    }

    /// Writes the rows, split in halves if their strings or lists exceed the range of 32-bit offsets.
    private void writeSplit(WireSchema layout, List<Column> columns, long rows) {
        int unfit = firstUnfit(layout, columns);
        if (unfit < 0) {
            writeBatch(layout, columns, rows);
        } else if (rows <= 1) {
            throw MillraceException.data(
                    "One value of column '" + schema.field(unfit).name() + "' has more than " + offsetLimit
                            + " bytes or elements, beyond the 32-bit offsets that this Arrow data began with.");
        } else {
            long half = rows / 2;
            writeSplit(layout, columns.stream().map(c -> c.slice(0, half)).toList(), half);
            writeSplit(
                    layout,
                    columns.stream().map(c -> c.slice(half, rows - half)).toList(),
                    rows - half);
        }
    }

    private int firstUnfit(WireSchema layout, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            if (!OffsetFit.fits(layout.fields().get(i), columns.get(i), offsetLimit)) {
                return i;
            }
        }
        return -1;
    }

    private void writeBatch(WireSchema layout, List<Column> columns, long rows) {
        for (int i = 0; i < columns.size(); i++) {
            dictionaries.prepare(layout.fields().get(i), columns.get(i), dictionaryOut);
        }
        try (BatchWriter batch = new BatchWriter(allocator, codec, dictionaries, inPieces != null)) {
            for (int i = 0; i < columns.size(); i++) {
                batch.add(layout.fields().get(i), columns.get(i));
            }
            batchPlaces.add(inPieces == null ? send(batch.batch(rows)) : inPieces.send(batch.plainBatch(rows)));
        }
    }

    private Place send(EncodedMessage message) {
        long at = target.position();
        MemorySegment head = message.head(at);
        Place place = new Place(at, (int) head.byteSize(), message.bodyLength());
        target.write(message.pieces(head), message);
        return place;
    }

    /// Ends the stream or file. Nothing more can be written; does nothing after a failed write.
    public void finish() {
        if (finished || broken) {
            return;
        }
        finished = true;
        WireSchema layout = start(null);
        MemorySegment end = MemorySegment.ofArray(new byte[8]);
        end.set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
        target.write(List.of(end), null);
        if (file) {
            ByteBuffer footer = MessageEncoder.footer(layout, dictionaryPlaces, batchPlaces);
            MemorySegment tail = MemorySegment.ofArray(new byte[4 + MAGIC.length]);
            tail.set(ValueLayout.JAVA_INT_UNALIGNED, 0, footer.remaining());
            MemorySegment.copy(MemorySegment.ofArray(MAGIC), 0, tail, 4, MAGIC.length);
            target.write(List.of(MemorySegment.ofBuffer(footer), tail), null);
        }
    }

    /// Finishes, and closes the target.
    @Override
    public void close() {
        try (target;
                dictionaries) {
            finish();
        }
    }
}
