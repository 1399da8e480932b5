package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.arrow.IpcFile;
import dev.millrace.block.Block;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.source.Source;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Every type and every encoding, with nulls and without: what was written comes back, types included, here and in
/// pyarrow.
class WrittenTypesTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void makeTables() {
        Python.environment("test").run(WrittenTypesTest.class, "type_tables.py", "make", folder.toString());
    }

    private static final List<String> TABLES = List.of("types", "types_nulls", "types_long");

    @TestFactory
    Stream<DynamicTest> everyTypeComesBack() {
        return TABLES.stream()
                .flatMap(table -> variants().entrySet().stream()
                        .map(variant -> DynamicTest.dynamicTest(table + ", " + variant.getKey(), () -> {
                            Path file = folder.resolve(table + "--" + variant.getKey() + ".parquet");
                            check(folder.resolve(table + ".arrow"), file, variant.getValue());
                        })));
    }

    @Test
    void pyarrowReadsTheSameTablesWithTheSameSchema() throws Exception {
        for (String table : TABLES) {
            for (Map.Entry<String, WriteParquet> variant : variants().entrySet()) {
                Path file = folder.resolve(table + "--" + variant.getKey() + ".parquet");
                check(folder.resolve(table + ".arrow"), file, variant.getValue());
            }
        }
        assertThat(Python.environment("test").run(WrittenTypesTest.class, "type_tables.py", "check", folder.toString()))
                .isEqualTo(TABLES.size() * variants().size() + " files are equal\n");
    }

    private static Map<String, WriteParquet> variants() {
        WriteParquet defaults = WriteParquet.defaults();
        WriteParquet deltas = defaults.dataPagesV2().compression(ParquetCompression.ZSTD, 9);
        WriteParquet split = defaults.compression(ParquetCompression.GZIP, 1).pageRows(100);
        for (String name :
                List.of("int8", "uint16", "int32", "int64", "uint64", "date", "time_us", "utc", "duration")) {
            deltas = deltas.encoding(name, ParquetEncoding.DELTA_BINARY_PACKED);
        }
        deltas = deltas.encoding("string", ParquetEncoding.DELTA_BYTE_ARRAY)
                .encoding("binary", ParquetEncoding.DELTA_LENGTH_BYTE_ARRAY)
                .compression("list", ParquetCompression.NONE);
        for (String name : List.of("float16", "float32", "float64", "int32", "int64", "decimal30", "tensor")) {
            split = split.encoding(name, ParquetEncoding.BYTE_STREAM_SPLIT);
        }
        return Map.of(
                "defaults", defaults,
                "plain",
                        defaults.withoutDictionaries()
                                .compression(ParquetCompression.LZ4)
                                .checksums(),
                "deltas", deltas,
                "split", split);
    }

    private static void check(Path arrow, Path file, WriteParquet options) throws Exception {
        try (Allocator allocator = Allocator.root("types", 1L << 30);
                IpcFile from = IpcFile.open(arrow, Allocator.collected("tables"))) {
            FileChannel out = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            try (FileFormat.Writer writer = new ParquetFileFormat(options).open(out, from.schema(), allocator)) {
                for (int i = 0; i < from.batches(); i++) {
                    try (Block block = from.read(i)) {
                        writer.write(block);
                    }
                }
            }
            assertThat(allocator.heldBytes()).isZero();
            Source source = ParquetFiles.source(file);
            Schema there = source.schema().orElseThrow();
            for (Field field : from.schema().fields()) {
                assertThat(there.type(field.name())).as(field.name()).isEqualTo(stored(field.type()));
            }
            Map<String, List<Object>> wanted = ParquetFiles.readArrow(arrow, Allocator.collected("expected"));
            ParquetFiles.read(source, allocator, 10_000)
                    .forEach((name, values) -> assertThat(values).as(name).isEqualTo(wanted.get(name)));
        }
    }

    /// Parquet knows no seconds, and a dictionary reads as its values.
    private static DataType stored(DataType type) {
        return switch (type) {
            case DataType.Time time when time.unit() == TimeUnit.SECOND -> DataType.time(TimeUnit.MILLISECOND);
            case DataType.Timestamp time
            when time.unit() == TimeUnit.SECOND -> DataType.timestamp(TimeUnit.MILLISECOND, time.zone());
            case DataType.Dictionary dictionary -> dictionary.value();
            default -> type;
        };
    }

    @Test
    void columnsThatParquetCannotHoldAreRefusedByName() {
        FileFormat format = new ParquetFileFormat(WriteParquet.defaults());
        assertThatThrownBy(() -> format.check(Schema.of("a", DataType.INT64, "s", new DataType.Struct(List.of()))))
                .hasMessage("Column 's' cannot be written as Parquet: struct<> has no fields.");
        assertThatThrownBy(() -> format.check(Schema.of("l", DataType.list(DataType.decimal(5, -2)))))
                .hasMessage(
                        "Column 'l' cannot be written as Parquet: decimal(5, -2) has a scale that is not between 0 and"
                                + " its precision.");
        assertThatThrownBy(() -> format.check(Schema.of("d", DataType.dictionary(DataType.list(DataType.INT64)))))
                .hasMessage("Column 'd' cannot be written as Parquet: dictionary<list<int64>> is a dictionary of nested"
                        + " values.");
    }
}
