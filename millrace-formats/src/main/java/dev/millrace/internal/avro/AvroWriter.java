package dev.millrace.internal.avro;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.OutputWindow;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Writes one container file.
final class AvroWriter implements FileFormat.Writer {
    private static final long BLOCK_BYTES = 128 << 10;
    private static final long MAX_BYTES = 1 << 30;
    private static final long FIRST_BYTES = 64 << 10;

    private final OutputWindow out;
    private final AvroCodec codec;
    private final byte[] sync;
    private final GrowingBuffer records;
    private final GrowingBuffer scratch;
    private final BlockCompressor compressor;
    private long count;

    AvroWriter(WritableByteChannel channel, Schema schema, AvroCodec codec, Allocator allocator) throws IOException {
        this.codec = codec;
        UUID random = UUID.randomUUID();
        this.sync = ByteBuffer.allocate(AvroHeader.SYNC_BYTES)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
        this.records = new GrowingBuffer(allocator, FIRST_BYTES);
        this.scratch = new GrowingBuffer(allocator, FIRST_BYTES);
        this.compressor = new BlockCompressor(codec);
        this.out = new OutputWindow(channel, allocator);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(this);
            writeHeader(schema);
            scope.keep();
        }
    }

    private void writeHeader(Schema schema) throws IOException {
        out.put(AvroHeader.MAGIC);
        scratch.putZigzag(2);
        entry("avro.schema", AvroWriteSchema.of(schema));
        entry("avro.codec", codec.label());
        scratch.putZigzag(0);
        scratch.put(sync);
        out.put(scratch.contents(), 0, scratch.size());
        scratch.clear();
    }

    private void entry(String key, String value) {
        for (String text : new String[] {key, value}) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            scratch.putZigzag(bytes.length);
            scratch.put(bytes);
        }
    }

    @Override
    public void write(Block block) throws IOException {
        ValueEncoder[] columns = block.columns().stream().map(ValueEncoder::of).toArray(ValueEncoder[]::new);
        for (long row = 0; row < block.rows(); row++) {
            for (ValueEncoder column : columns) {
                column.write(row, records);
            }
            count++;
            if (records.size() >= BLOCK_BYTES) {
                flush();
            }
        }
    }

    private void flush() throws IOException {
        if (count == 0) {
            return;
        }
        if (records.size() > MAX_BYTES) {
            throw MillraceException.user("writeAvro: a row of " + records.size() + " bytes is too large for a block.");
        }
        GrowingBuffer packed = compressor.compress(records, scratch);
        GrowingBuffer lengths = packed == scratch ? records : scratch;
        long size = packed.size();
        lengths.clear();
        lengths.putZigzag(count);
        lengths.putZigzag(size);
        out.put(lengths.contents(), 0, lengths.size());
        out.put(packed.contents(), 0, size);
        out.put(sync);
        records.clear();
        scratch.clear();
        count = 0;
    }

    @Override
    public void close() throws IOException {
        try (out;
                records;
                scratch) {
            flush();
            out.flush();
        } finally {
            compressor.close();
        }
    }
}
