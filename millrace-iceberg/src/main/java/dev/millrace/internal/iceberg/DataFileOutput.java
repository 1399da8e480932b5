package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.internal.parquet.write.ParquetFileWriter;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.PositionOutputStream;

/// One data file being written, through the table's own FileIO. One thread.
final class DataFileOutput {
    private final Table table;
    private final PartitionSpec spec;
    private final PartitionKey partition;
    private final String location;
    private final Output out;
    private final ParquetFileWriter writer;
    private long rows;

    DataFileOutput(
            Table table,
            PartitionSpec spec,
            PartitionKey partition,
            String name,
            ParquetFileFormat format,
            Schema schema,
            Allocator allocator)
            throws Exception {
        this.table = table;
        this.spec = spec;
        this.partition = partition;
        this.location = spec.isUnpartitioned()
                ? table.locationProvider().newDataLocation(name)
                : table.locationProvider().newDataLocation(spec, partition, name);
        this.out = new Output(table.io().newOutputFile(location).create());
        this.writer = format.open(out, schema, allocator);
    }

    void write(Block block) throws Exception {
        writer.write(block);
        rows += block.rows();
    }

    /// The bytes written so far, without the pages of the current row group.
    long bytes() {
        return out.bytes;
    }

    DataFile finish() throws Exception {
        writer.close();
        return DataFiles.builder(spec)
                .withPath(location)
                .withFormat(FileFormat.PARQUET)
                .withPartition(spec.isUnpartitioned() ? null : partition)
                .withFileSizeInBytes(out.bytes)
                .withMetrics(FileMetrics.of(writer, rows, table.schema(), MetricsConfig.forTable(table)))
                .withSplitOffsets(writer.written().stream()
                        .filter(group -> !group.chunks().isEmpty())
                        .map(group -> group.chunks().getFirst().start())
                        .toList())
                .build();
    }

    /// Ends the file and deletes it.
    void discard() {
        try {
            writer.close();
        } catch (Exception _) {
            // The file is discarded; the caller reports why it could not be written to the end.
        }
        table.io().deleteFile(location);
    }

    private static final class Output implements WritableByteChannel {
        private final PositionOutputStream out;
        private byte[] copy = new byte[64 << 10];
        private long bytes;
        private boolean closed;

        Output(PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = source.remaining();
            while (source.hasRemaining()) {
                int n = Math.min(copy.length, source.remaining());
                source.get(copy, 0, n);
                out.write(copy, 0, n);
            }
            bytes += count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                out.close();
            }
        }
    }
}
