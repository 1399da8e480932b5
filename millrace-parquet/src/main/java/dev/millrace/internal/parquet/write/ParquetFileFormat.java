package dev.millrace.internal.parquet.write;

import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.Schema;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Map;

/// The Parquet format of a sink.
///
/// @param ids field ids of a table's columns, by path (see [dev.millrace.internal.parquet.schema.FieldIds]); empty if
///     there are none
public record ParquetFileFormat(WriteParquet options, Map<List<String>, Integer> ids) implements FileFormat {
    public ParquetFileFormat(WriteParquet options) {
        this(options, Map.of());
    }

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
        WritePlan.of(schema, options, ids);
    }

    @Override
    public ParquetFileWriter open(WritableByteChannel out, Schema schema, Allocator allocator) throws Exception {
        return new ParquetFileWriter(out, WritePlan.of(schema, options, ids), options, allocator);
    }
}
