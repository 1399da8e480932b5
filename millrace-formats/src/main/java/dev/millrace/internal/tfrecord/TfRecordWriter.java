package dev.millrace.internal.tfrecord;

import dev.millrace.block.Block;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.OutputWindow;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// Writes one TFRecord file.
final class TfRecordWriter implements FileFormat.Writer {
    private static final int LENGTH_BYTES = 8;
    private static final int FRAME_BYTES = 16;
    private static final int BYTES_FIELD_1 = 1 << 3 | ProtobufMessage.BYTES;

    private final OutputWindow out;
    private final @Nullable String raw;
    private final MaskedCrc crc = new MaskedCrc();

    TfRecordWriter(WritableByteChannel channel, @Nullable String raw, Allocator allocator) {
        this.out = new OutputWindow(channel, allocator);
        this.raw = raw;
    }

    @Override
    public void write(Block block) throws IOException {
        if (raw == null) {
            writeExamples(block);
        } else {
            writeRaw((VariableWidthColumn) block.column(raw));
        }
    }

    private void writeRaw(VariableWidthColumn records) throws IOException {
        for (long i = 0; i < records.length(); i++) {
            if (records.isNull(i)) {
                throw MillraceException.user("writeTfRecords: column '" + raw + "' has nulls, and a record is no null."
                        + " Filter them out before the write.");
            }
            long start = records.start(i);
            long size = records.end(i) - start;
            begin(size);
            out.put(records.dataSegment(), start, size);
            end(size);
        }
    }

    private void writeExamples(Block block) throws IOException {
        FeatureSource[] sources = new FeatureSource[block.schema().size()];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = FeatureSource.of(block.schema().field(i).name(), block.column(i));
        }
        for (long row = 0; row < block.rows(); row++) {
            long features = 0;
            for (FeatureSource source : sources) {
                long entry = source.measure(row);
                features += 1 + GrowingBuffer.varintSize(entry) + entry;
            }
            long size = 1 + GrowingBuffer.varintSize(features) + features;
            begin(size);
            out.putByte(BYTES_FIELD_1);
            out.putVarint(features);
            for (FeatureSource source : sources) {
                out.putByte(BYTES_FIELD_1);
                source.write(out, row);
            }
            end(size);
        }
    }

    private void begin(long size) throws IOException {
        if (size > Integer.MAX_VALUE - 64) {
            throw MillraceException.user("writeTfRecords: a row of " + size + " bytes is too large for a record.");
        }
        // With a few bytes more, because varints reserve their maximum length, which must not cause a flush in between.
        out.reserve(size + FRAME_BYTES + 16);
        out.putLong(size);
        out.putInt(crc.of(out.window(), out.at() - LENGTH_BYTES, LENGTH_BYTES));
    }

    private void end(long size) throws IOException {
        out.putInt(crc.of(out.window(), out.at() - size, size));
    }

    @Override
    public void close() throws IOException {
        try (out) {
            out.flush();
        }
    }
}
