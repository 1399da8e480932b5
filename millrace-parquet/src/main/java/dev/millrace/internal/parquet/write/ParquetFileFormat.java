package dev.millrace.internal.parquet.write;

import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteParquet;
import dev.millrace.type.Schema;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/// Parquet as a sink writes it.
public record ParquetFileFormat(WriteParquet options) implements FileFormat {
    @Override
    public String name() {
        return "Parquet";
    }

    @Override
    public String extension() {
        return "parquet";
    }

    @Override
    public List<String> endings() {
        return ParquetSource.endings();
    }

    @Override
    public void check(Schema schema) {
        WritePlan.of(schema, options);
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws Exception {
        return new ParquetFileWriter(out, WritePlan.of(schema, options), options, allocator);
    }
}
