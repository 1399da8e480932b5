package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteCsv;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// Writes CSV files, as [CsvFormat] reads them.
public record CsvOutput(WriteCsv options) implements FileFormat {
    private static final int PACKING_BYTES = 1 << 16;

    @Override
    public String name() {
        return "CSV";
    }

    @Override
    public String extension() {
        return (options.delimiter() == '\t' ? "tsv" : "csv")
                + switch (options.compression()) {
                    case "gzip" -> ".gz";
                    case "zstd" -> ".zst";
                    default -> "";
                };
    }

    @Override
    public List<String> endings() {
        return CsvFormat.ENDINGS.stream()
                .flatMap(ending ->
                        Stream.of("", ".gz", ".zst", ".lz4", ".bz2", ".xz").map(packed -> ending + packed))
                .toList();
    }

    @Override
    public void check(Schema schema) {
        for (Field field : schema.fields()) {
            if (!isWritable(field.type())) {
                throw MillraceException.user("writeCsv: column '" + field.name() + "' is " + field.type()
                        + ", and a field of a CSV file holds a number, a boolean, a time or a text. Leave it out, make texts"
                        + " of it, or write Parquet or JSON.");
            }
        }
    }

    private static boolean isWritable(DataType type) {
        return switch (type) {
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Utf8 _ -> true;
            case DataType.Dictionary(DataType.Int _, DataType value, boolean _) -> isWritable(value);
            case DataType.Binary _,
                    DataType.Duration _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> false;
        };
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws IOException {
        check(schema);
        return new CsvWriter(packed(Channels.newOutputStream(out)), schema, options);
    }

    private OutputStream packed(OutputStream out) throws IOException {
        return switch (options.compression()) {
            case "gzip" -> new GZIPOutputStream(out, PACKING_BYTES);
            case "zstd" -> new ZstdOutput(out);
            default -> out;
        };
    }
}
