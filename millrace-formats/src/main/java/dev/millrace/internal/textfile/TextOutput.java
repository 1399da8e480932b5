package dev.millrace.internal.textfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.StringColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Writes the texts of one column as lines. Numbers and other values are written as Java does.
public record TextOutput() implements FileFormat {
    private static final int BUFFER_BYTES = 256 << 10;

    @Override
    public String name() {
        return "Text";
    }

    @Override
    public String extension() {
        return "txt";
    }

    @Override
    public void check(Schema schema) {
        if (schema.size() != 1 || schema.field(0).type() instanceof DataType.Binary) {
            throw MillraceException.user("A text file holds one column that is not binary, not: " + schema + ".");
        }
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        return new LineWriter(out, schema.field(0).name(), allocator);
    }

    private static final class LineWriter implements Writer {
        private final WritableByteChannel out;
        private final String name;
        private final Allocator allocator;
        /// Null before the first block.
        private @Nullable Buffer buffer;

        private long at;

        LineWriter(WritableByteChannel out, String name, Allocator allocator) {
            this.out = out;
            this.name = name;
            this.allocator = allocator;
        }

        @Override
        public void write(Block block) throws IOException {
            Buffer buffer = this.buffer;
            if (buffer == null) {
                buffer = allocator.allocate(BUFFER_BYTES);
                this.buffer = buffer;
            }
            Column column = block.column(0);
            for (long row = 0; row < block.rows(); row++) {
                if (column.isNull(row)) {
                    put(MemorySegment.NULL, 0, 0, row, buffer);
                } else if (column instanceof StringColumn strings) {
                    long start = strings.start(row);
                    put(strings.dataSegment(), start, strings.end(row) - start, row, buffer);
                } else {
                    byte[] text = String.valueOf(column.value(row)).getBytes(StandardCharsets.UTF_8);
                    put(MemorySegment.ofArray(text), 0, text.length, row, buffer);
                }
            }
        }

        private void put(MemorySegment source, long from, long length, long row, Buffer buffer) throws IOException {
            for (long i = from; i < from + length; i++) {
                if (source.get(JAVA_BYTE, i) == '\n') {
                    throw MillraceException.data("Column '" + name + "' holds a line end in row " + row
                            + " of a chunk, and a text file cannot. Replace it first, or write JSON.");
                }
            }
            long done = 0;
            while (done < length) {
                if (at == BUFFER_BYTES) {
                    flush(buffer);
                }
                long count = Math.min(length - done, BUFFER_BYTES - at);
                MemorySegment.copy(source, from + done, buffer.segment(), at, count);
                at += count;
                done += count;
            }
            if (at == BUFFER_BYTES) {
                flush(buffer);
            }
            buffer.segment().set(JAVA_BYTE, at++, (byte) '\n');
        }

        private void flush(Buffer buffer) throws IOException {
            ByteBuffer all = buffer.segment().asSlice(0, at).asByteBuffer();
            while (all.hasRemaining()) {
                out.write(all);
            }
            at = 0;
        }

        @Override
        public void close() throws IOException {
            try (out) {
                if (buffer != null) {
                    flush(buffer);
                }
            } finally {
                if (buffer != null) {
                    buffer.release();
                    buffer = null;
                }
            }
        }
    }
}
