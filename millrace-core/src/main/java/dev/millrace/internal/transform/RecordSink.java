package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import java.util.stream.IntStream;

/// Writes records of one class. Its columns are known before the first one.
final class RecordSink implements RowSink {
    private final RecordCodec codec;
    private final Allocator allocator;
    private BlockBuilder builder;
    private RecordWriter writer;
    private long expected = 64;
    private long rows;
    private long marked;

    RecordSink(RecordCodec codec, Allocator allocator) {
        this.codec = codec;
        this.allocator = allocator;
        begin();
    }

    private void begin() {
        builder = new BlockBuilder(allocator, codec.schema(), expected);
        writer = codec.writer(
                IntStream.range(0, codec.size()).mapToObj(builder::column).toList());
        rows = 0;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // NULLS is one object; a function's row may equal it
    public void append(Object item) {
        if (item == RowStages.NULLS) {
            for (int i = 0; i < codec.size(); i++) {
                builder.column(i).appendNull();
            }
            rows++;
            return;
        }
        if (!codec.type().isInstance(item)) {
            throw MillraceException.user("It returned a " + item.getClass().getName() + ", not a "
                    + codec.type().getName() + ".");
        }
        writer.append(item);
        rows++;
    }

    @Override
    public void mark() {
        marked = rows;
    }

    @Override
    public void backToMark() {
        builder.truncate(marked);
        rows = marked;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long sizeBytes() {
        return builder.sizeBytes();
    }

    @Override
    public Block build() {
        expected = Math.max(64, rows + rows / 8);
        Block block = builder.build();
        begin();
        return block;
    }

    @Override
    public boolean knowsColumns() {
        return true;
    }

    @Override
    public void close() {
        builder.close();
    }
}
