package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that parquet-java wrote: pages of both versions with the encodings that it chooses for them (with version 2
/// delta encodings of integers and strings), byte stream split, bloom filters, page index, lists, maps and structs. Not
/// compressed, since for that it wants all of Hadoop.
class ParquetJavaTest {
    private static final int ROWS = 5_000;

    private static final MessageType SCHEMA = MessageTypeParser.parseMessageType("""
            message rows {
              required int64 id;
              optional int32 small (INTEGER(16,true));
              optional double real;
              optional float single;
              optional boolean flag;
              optional binary text (STRING);
              optional binary code (ENUM);
              optional int32 day (DATE);
              optional int64 money (DECIMAL(12,2));
              optional fixed_len_byte_array(16) raw;
              optional group list (LIST) { repeated group list { optional int64 element; } }
              optional group map (MAP) { repeated group key_value { required binary key (STRING); optional int32 value; } }
              required group nested { optional binary name (STRING); repeated int32 bare; }
            }
            """);

    @TempDir
    private Path folder;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    /// Throws if a byte is held.
    @AfterEach
    void close() {
        session.close();
    }

    private record Kind(WriterVersion version, boolean dictionary, boolean split, boolean bloom) {
        String file() {
            return version + (dictionary ? "-dictionary" : "") + (split ? "-split" : "") + (bloom ? "-bloom" : "")
                    + ".parquet";
        }
    }

    private static List<Kind> kinds() {
        List<Kind> all = new ArrayList<>();
        for (WriterVersion version : WriterVersion.values()) {
            all.add(new Kind(version, true, false, false));
            all.add(new Kind(version, false, false, true));
            all.add(new Kind(version, false, true, false));
        }
        return all;
    }

    private static void write(Path file, Kind kind) throws IOException {
        SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
        ExampleParquetWriter.Builder builder = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withType(SCHEMA)
                .withWriterVersion(kind.version)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withDictionaryEncoding(kind.dictionary)
                .withByteStreamSplitEncoding(kind.split)
                .withPageSize(4 << 10)
                .withRowGroupSize(200L << 10);
        if (kind.bloom) {
            builder.withBloomFilterEnabled("id", true).withBloomFilterEnabled("text", true);
        }
        try (ParquetWriter<Group> writer = builder.build()) {
            for (int i = 0; i < ROWS; i++) {
                writer.write(group(groups.newGroup(), i));
            }
        }
    }

    private static Group group(Group row, int i) {
        row.add("id", 1_000_000_007L * i);
        if (i % 7 != 0) {
            row.add("small", i % 3000 - 1500);
            row.add("real", i / 3.0);
            row.add("single", i / 4f);
            row.add("flag", i % 3 == 0);
            row.add("text", "größe " + i % 100 + "x".repeat(i % 11));
            row.add("code", i % 2 == 0 ? "EVEN" : "ODD");
            row.add("day", i - 1000);
            row.add("money", 100L * i - 7);
            row.add("raw", org.apache.parquet.io.api.Binary.fromConstantByteArray(raw(i)));
        }
        if (i % 5 != 0) {
            Group list = row.addGroup("list");
            for (int j = 0; j < i % 4; j++) {
                Group element = list.addGroup("list");
                if (j != 1) {
                    element.add("element", (long) i * j);
                }
            }
            Group map = row.addGroup("map");
            for (int j = 0; j < i % 3; j++) {
                Group entry = map.addGroup("key_value");
                entry.add("key", "k" + j);
                if (j == 0) {
                    entry.add("value", i);
                }
            }
        }
        Group nested = row.addGroup("nested");
        if (i % 2 == 0) {
            nested.add("name", "n" + i);
        }
        for (int j = 0; j < i % 3; j++) {
            nested.add("bare", j);
        }
        return row;
    }

    private static byte[] raw(int i) {
        byte[] bytes = new byte[16];
        bytes[i % 16] = (byte) i;
        return bytes;
    }

    private static void check(Row row, int i, String what) {
        boolean there = i % 7 != 0;
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("id", 1_000_000_007L * i);
        expected.put("small", there ? (short) (i % 3000 - 1500) : null);
        expected.put("real", there ? i / 3.0 : null);
        expected.put("single", there ? i / 4f : null);
        expected.put("flag", there ? i % 3 == 0 : null);
        expected.put("text", there ? "größe " + i % 100 + "x".repeat(i % 11) : null);
        expected.put("code", there ? (i % 2 == 0 ? "EVEN" : "ODD") : null);
        expected.put("day", there ? LocalDate.ofEpochDay(i - 1000) : null);
        expected.put("money", there ? BigDecimal.valueOf(100L * i - 7, 2) : null);
        List<Object> list = new ArrayList<>();
        for (int j = 0; j < i % 4; j++) {
            list.add(j == 1 ? null : (long) i * j);
        }
        expected.put("list", i % 5 == 0 ? null : list);
        Map<String, Object> map = new LinkedHashMap<>();
        for (int j = 0; j < i % 3; j++) {
            map.put("k" + j, j == 0 ? i : null);
        }
        expected.put("map", i % 5 == 0 ? null : map);
        List<Object> bare = new ArrayList<>();
        for (int j = 0; j < i % 3; j++) {
            bare.add(j);
        }
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("name", i % 2 == 0 ? "n" + i : null);
        nested.put("bare", bare);
        expected.put("nested", nested);
        expected.forEach((name, value) ->
                assertThat(row.get(name)).as(what + ", row " + i + ", " + name).isEqualTo(value));
        assertThat((byte[]) row.get("raw")).as(what + ", row " + i).isEqualTo(there ? raw(i) : null);
    }

    @Test
    void everyKindOfFileComesBack() throws IOException {
        for (Kind kind : kinds()) {
            Path file = folder.resolve(kind.file());
            write(file, kind);
            List<Row> rows = session.readParquet(file.toString()).takeAll();
            assertThat(rows).as(kind.file()).hasSize(ROWS);
            for (int i = 0; i < ROWS; i++) {
                check(rows.get(i), i, kind.file());
            }
        }
    }

    @Test
    void filtersPruneByTheirStatisticsIndexesAndBloomFilters() throws IOException {
        for (Kind kind : kinds()) {
            Path file = folder.resolve(kind.file());
            write(file, kind);
            Dataset rows = session.readParquet(file.toString());
            assertThat(rows.filter(col("id").eq(1_000_000_007L * 4321)).takeAll())
                    .as(kind.file())
                    .singleElement()
                    .satisfies(row -> check(row, 4321, kind.file()));
            assertThat(rows.filter(col("id").eq(1_000_000_007L * 4321 + 1)).count())
                    .isZero();
            assertThat(rows.filter(col("text").eq("größe 17" + "x".repeat(17 % 11)))
                            .takeAll())
                    .as(kind.file())
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row.getString("text")).startsWith("größe 17"));
            assertThat(rows.filter(col("text").eq("nobody")).count()).isZero();
            assertThat(rows.filter(col("real").lt(10.0)).count()).isEqualTo(30 - 5);
        }
    }
}
