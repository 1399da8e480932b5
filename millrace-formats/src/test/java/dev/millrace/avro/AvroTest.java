package dev.millrace.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.internal.json.JsonText;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteAvro;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.FileReads;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that fastavro wrote, and ours that it reads.
class AvroTest {
    @TempDir
    static Path given;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    static void write() {
        Python.environment("formats").run(AvroTest.class, "containers.py", "write", given.toString());
    }

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void everyTypeInEveryCompression() throws IOException {
        List<Object> expected = new ArrayList<>();
        for (String line : Files.readAllLines(given.resolve("rows.json"))) {
            expected.add(JsonText.parse(line.getBytes(StandardCharsets.UTF_8)));
        }
        for (String codec : List.of("null", "deflate", "snappy", "zstandard", "bzip2", "xz")) {
            Dataset rows = session.readAvro(given + "/" + codec + ".avro");
            List<Row> all = rows.takeAll();
            assertThat(all).as(codec).hasSize(codec.equals("xz") ? 100 : 2000);
            for (int i = 0; i < all.size(); i++) {
                assertThat(plain(all.get(i).asMap())).as(codec + " " + i).isEqualTo(expected.get(i));
            }
        }
    }

    private static Object plain(Object value) {
        return switch (value) {
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case Integer number -> number.longValue();
            case Float number -> number(number);
            case Double number -> number(number);
            case BigDecimal number -> number.toPlainString();
            case ZonedDateTime time -> iso(time.toLocalDateTime());
            case LocalDateTime time -> iso(time);
            case LocalDate day -> day.toString();
            case LocalTime time -> time.format(DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS"));
            case List<?> list -> {
                List<Object> all = new ArrayList<>();
                list.forEach(element -> all.add(plain(element)));
                yield all;
            }
            case Map<?, ?> map -> {
                Map<Object, Object> all = new LinkedHashMap<>();
                map.forEach((key, element) -> all.put(key, plain(element)));
                yield all;
            }
            case null -> null;
            default -> value;
        };
    }

    private static Object number(double number) {
        return new BigDecimal(Double.toString(number));
    }

    private static String iso(LocalDateTime time) {
        return time.format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS"));
    }

    @Test
    void theColumnsOfEveryType() {
        Dataset rows = session.readAvro(given + "/none.avro");
        assertThat(rows.count()).isZero();
        assertThat(rows.schema().fields())
                .contains(
                        new Field("maybe", DataType.UTF8),
                        new Field("color", DataType.UTF8),
                        new Field("hash", DataType.BINARY),
                        new Field("list", DataType.list(DataType.INT32)),
                        new Field("map", DataType.map(DataType.UTF8, DataType.INT64)),
                        new Field("number", DataType.INT64),
                        new Field("real", DataType.FLOAT64),
                        new Field(
                                "mixed",
                                DataType.struct(
                                        new Field("member0", DataType.UTF8),
                                        new Field("member1", DataType.BOOL),
                                        new Field("member2", DataType.BINARY))),
                        new Field("ms", DataType.time(TimeUnit.MILLISECOND)),
                        new Field("tus", DataType.timestamp(TimeUnit.MICROSECOND, "UTC")),
                        new Field("local", DataType.timestamp(TimeUnit.MICROSECOND)),
                        new Field("cost", DataType.decimal(38, 10)),
                        new Field("id", DataType.UTF8));
        assertThat(session.readAvro(given + "/strings.avro").takeAll())
                .containsExactly(Row.of("value", "a"), Row.of("value", "b"), Row.of("value", "c"));
    }

    @Test
    void aLargeFileIsCutBetweenBlocks() {
        for (int parts : List.of(1, 2, 3, 7)) {
            Dataset rows = session.read(
                    FileSource.of(List.of(given + "/large.avro"), new AvroFormat(), FileReads.defaults()), parts);
            List<Row> all = rows.takeAll();
            assertThat(all).hasSize(40_000);
            for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i).getLong("id")).isEqualTo(i);
            }
            assertThat(rows.select("text").count()).isEqualTo(40_000);
            assertThat(rows.select("text").take(4).getLast()).isEqualTo(Row.of("text", "ttt"));
        }
    }

    @Test
    void damageIsADataErrorWithItsPlace() throws IOException {
        byte[] whole = Files.readAllBytes(given.resolve("large.avro"));
        Path cut = Files.write(folder.resolve("cut.avro"), Arrays.copyOf(whole, whole.length - 20));
        assertThatThrownBy(() -> session.readAvro(cut.toString()).takeAll())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("cut.avro', byte ")
                .hasMessageContaining("the file ends in the middle of the block that begins at byte ")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
        byte[] changed = whole.clone();
        changed[whole.length - 1] ^= 1;
        Path marker = Files.write(folder.resolve("marker.avro"), changed);
        assertThatThrownBy(() -> session.readAvro(marker.toString()).takeAll())
                .hasMessageContaining("does not end with the file's marker");
        Path other = Files.writeString(folder.resolve("other.avro"), "no Avro");
        assertThatThrownBy(() -> session.readAvro(other.toString())).hasMessageContaining("this is no Avro file");
        assertThatThrownBy(() -> session.readAvro(given + "/tree.avro"))
                .hasMessageContaining("the record 'Tree' contains itself, and no column can hold that");
    }

    @Test
    void everyTypeComesBackFromAFileOfOurs() {
        Dataset rows = session.readAvro(given + "/null.avro");
        for (WriteAvro.Codec codec : WriteAvro.Codec.values()) {
            String target = folder + "/" + codec;
            rows.writeAvro(target, WriteOptions.defaults(), new WriteAvro(codec));
            Dataset back = session.readAvro(target);
            assertThat(back.schema()).isEqualTo(rows.schema());
            assertThat(back.takeAll().stream().map(row -> plain(row.asMap())))
                    .isEqualTo(rows.takeAll().stream()
                            .map(row -> plain(row.asMap()))
                            .toList());
        }
        String told = Python.environment("formats").run(AvroTest.class, "containers.py", "check", folder.toString());
        assertThat(told.lines().map(line -> line.substring(0, line.indexOf(" 2000 "))))
                .containsExactly("DEFLATE deflate", "NULL null", "SNAPPY snappy", "ZSTANDARD zstandard");
        assertThat(told)
                .contains("'cost': Decimal('-10000000000.0000000000')", "'price': Decimal('-0.93')")
                .contains("'tms': datetime.datetime(2024, 2, 29, 13, 34, 56, 789000, tzinfo=datetime.timezone.utc)")
                .contains("'mixed': {'member0': 'text', 'member1': None, 'member2': None}");
    }

    @Test
    void fastavroReadsTensorsSecondsAndSmallNumbers() {
        session.rangeTensor(1, 2, 3).writeAvro(folder + "/tensors");
        Schema schema = Schema.of(
                new Field("small", DataType.INT8),
                new Field("word", DataType.UINT32),
                new Field("half", DataType.FLOAT16),
                new Field("at", DataType.timestamp(TimeUnit.SECOND, "UTC")),
                new Field("clock", DataType.time(TimeUnit.SECOND)),
                new Field("pair", DataType.fixedList(DataType.INT16, 2)),
                new Field("named", DataType.dictionary(DataType.UTF8)));
        try (BlockBuilder builder = new BlockBuilder(session.allocator(), schema, 2)) {
            builder.append(
                    (byte) -3,
                    4_000_000_000L,
                    1.5f,
                    ZonedDateTime.parse("2024-02-29T00:00:01Z"),
                    LocalTime.of(1, 2, 3),
                    List.of((short) 1, (short) 2),
                    "x");
            builder.append(null, null, null, null, null, null, null);
            try (MaterializedDataset rows = session.fromBlocks(List.of(builder.build()))) {
                rows.writeAvro(folder + "/types");
            }
        }
        assertThat(Python.environment("formats")
                        .run(AvroTest.class, "containers.py", "check", folder.toString())
                        .lines())
                .containsExactly(
                        "tensors snappy 1 [{'data': [[0, 0, 0], [0, 0, 0]]}]",
                        "types snappy 2 [{'small': -3, 'word': 4000000000, 'half': 1.5, 'at': datetime.datetime(2024, 2, 29,"
                                + " 0, 0, 1, tzinfo=datetime.timezone.utc), 'clock': datetime.time(1, 2, 3), 'pair': [1, 2],"
                                + " 'named': 'x'}, {'small': None, 'word': None, 'half': None, 'at': None, 'clock': None,"
                                + " 'pair': None, 'named': None}]");
    }

    @Test
    void whatAvroCannotHoldIsRefused() {
        assertThatThrownBy(() -> session.range(2).rename("id", "sum(id)").writeAvro(folder + "/x"))
                .hasMessageContaining("writeAvro: 'sum(id)' is no name in Avro");
        assertThatThrownBy(() -> session.range(2)
                        .map(row -> Row.of("d", java.time.Duration.ofSeconds(1)))
                        .writeAvro(folder + "/x"))
                .hasMessageContaining("and Avro has no durations. Convert or drop it.");
        assertThatThrownBy(() -> WriteAvro.codec("lzo")).hasMessageContaining("there is no compression 'lzo' to write");
    }
}
