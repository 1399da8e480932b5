package dev.millrace.internal.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteCsv;
import dev.millrace.source.ReadCsv;
import dev.millrace.testing.Mutations;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// pyarrow and DuckDB read what we write, we read what they write, and all find the same values.
class CsvOracleTest {
    private static final long SEED = Seeds.seed();
    private static final int TABLES = 30;
    private static final List<DataType> TYPES = List.of(
            DataType.INT64,
            DataType.FLOAT64,
            DataType.BOOL,
            DataType.DATE,
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.decimal(12, 3),
            DataType.UTF8);

    private final Random random = new Random(SEED);

    private Object value(DataType type) {
        return switch (type) {
            case DataType.Int _ -> random.nextLong() >> random.nextInt(64);
            case DataType.Float _ ->
                random.nextInt(3) == 0
                        ? random.nextInt(1000) / 8.0
                        : Double.longBitsToDouble(random.nextLong() & ~(1L << 62));
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Date _ -> LocalDate.ofEpochDay(random.nextInt(-300_000, 300_000));
            case DataType.Timestamp _ ->
                LocalDateTime.ofEpochSecond(random.nextInt(), random.nextInt(3) * 250_000_000, ZoneOffset.UTC);
            case DataType.Decimal _ -> java.math.BigDecimal.valueOf(random.nextInt(), 3);
            default -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(8); i > 0; i--) {
                    text.append(List.of("a", ",", "\"", "\n", "\r\n", "é", " ", "NA", "1", "'")
                            .get(random.nextInt(10)));
                }
                yield text.toString();
            }
        };
    }

    private Block table(Session session) {
        int columns = 2 + random.nextInt(5);
        int rows = 1 + random.nextInt(60);
        List<Field> fields = new ArrayList<>();
        List<Column> made = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            DataType type = TYPES.get(random.nextInt(TYPES.size()));
            fields.add(new Field(List.of("c", "a name ", "x,y ", "\"q\" ").get(random.nextInt(4)) + i, type));
            List<Object> values = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                values.add(random.nextInt(5) == 0 ? null : value(type));
            }
            made.add(Columns.of(session.allocator(), type, values));
        }
        return Block.of(Schema.of(fields), made, rows);
    }

    private static ReadCsv typed(Schema schema) {
        ReadCsv options = ReadCsv.defaults().keepQuoted().nullTexts("");
        for (Field field : schema.fields()) {
            options = options.column(field.name(), field.type());
        }
        return options;
    }

    private static List<List<Object>> all(Dataset dataset) {
        List<String> names = dataset.schema().names();
        List<List<Object>> rows = new ArrayList<>();
        for (Row row : dataset.takeAll()) {
            rows.add(Arrays.asList(names.stream().map(row::get).toArray()));
        }
        return rows;
    }

    @Test
    void pyarrowFindsTheSameValues(@TempDir Path folder) throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            List<Schema> schemas = new ArrayList<>();
            List<List<List<Object>>> expected = new ArrayList<>();
            for (int i = 0; i < TABLES; i++) {
                try (var table = session.fromBlocks(List.of(table(session)))) {
                    table.writeCsv(folder + "/ours/" + i);
                    table.writeArrow(folder + "/arrow/" + i);
                    schemas.add(table.schema());
                    expected.add(all(table));
                }
            }
            List<Integer> columns = new ArrayList<>();
            Files.createDirectories(folder.resolve("odd"));
            for (int i = 0; i < 200; i++) {
                columns.add(1 + random.nextInt(4));
                // pyarrow takes an empty last field for quoted if one before it was, when the file ends right there.
                byte[] file = OddFiles.file(random, 1 + random.nextInt(12), columns.get(i), true, '"');
                Files.writeString(folder.resolve("odd/" + i + ".csv"), new String(file, UTF_8) + "\n");
            }
            String told = Python.environment("test").run(CsvOracleTest.class, "csv_oracle.py", folder.toString());
            assertThat(told.strip()).as("seed " + SEED).isEqualTo(TABLES + " tables as written");
            for (int i = 0; i < TABLES; i++) {
                assertThat(all(session.readCsv(folder + "/ours/" + i, typed(schemas.get(i)))))
                        .as("ours, seed " + SEED)
                        .isEqualTo(expected.get(i));
                assertThat(all(session.readCsv(folder + "/theirs/" + i + ".csv", typed(schemas.get(i)))))
                        .as("theirs, seed " + SEED)
                        .isEqualTo(expected.get(i));
            }
            for (int i = 0; i < 200; i++) {
                ReadCsv text = OddFiles.text(columns.get(i)).nullTexts("");
                assertThat(all(session.readCsv(folder + "/odd/" + i + ".csv", text)))
                        .as("odd " + i + ", seed " + SEED + ":\n"
                                + Files.readString(folder.resolve("odd/" + i + ".csv"))
                                        .replace("\r", "<CR>"))
                        .isEqualTo(all(session.readArrow(folder + "/odd/" + i + ".arrow")));
            }
        }
    }

    /// Where pyarrow reads a damaged file and so do we, the values are the same.
    @Test
    void whatCanStillBeReadIsWhatPyarrowReads(@TempDir Path folder) throws Exception {
        Mutations mutations = new Mutations(SEED);
        Files.createDirectories(folder.resolve("damaged"));
        for (int i = 0; i < 300; i++) {
            byte[] file = OddFiles.file(random, 4 + random.nextInt(12), 1 + random.nextInt(4), true, '"');
            byte[] line = {'\n'};
            try (OutputStream out = Files.newOutputStream(folder.resolve("damaged/" + i + ".csv"))) {
                out.write(mutations.damage(file));
                out.write(line);
            }
        }
        Python.environment("test").run(CsvOracleTest.class, "csv_damaged.py", folder.toString());
        int both = 0;
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (int i = 0; i < 300; i++) {
                Path file = folder.resolve("damaged/" + i + ".csv");
                Path found = folder.resolve("damaged/" + i + ".arrow");
                List<List<Object>> ours = Files.exists(found) ? texts(session, file) : null;
                if (ours != null) {
                    both++;
                    assertThat(ours)
                            .as("file " + i + ", seed " + SEED + ":\n" + Files.readString(file, ISO_8859_1))
                            .isEqualTo(all(session.readArrow(found.toString())));
                }
            }
        }
        assertThat(both).isGreaterThan(50);
    }

    /// All rows as texts, or null if the file is an error.
    private static List<List<Object>> texts(Session session, Path file) {
        try {
            ReadCsv options = ReadCsv.defaults().withoutHeader().keepQuoted().nullTexts("");
            for (String name :
                    session.readCsv(file.toString(), options).schema().names()) {
                options = options.column(name, DataType.UTF8);
            }
            return all(session.readCsv(file.toString(), options));
        } catch (MillraceException e) {
            assertThat(e.culprit()).isEqualTo(Culprit.DATA);
            return null;
        }
    }

    @Test
    void duckDbFindsTheSameValues(@TempDir Path folder) throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open();
                Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = duck.createStatement()) {
            for (int i = 0; i < TABLES; i++) {
                try (var table = session.fromBlocks(List.of(table(session)))) {
                    String ours = table.writeCsv(folder + "/ours/" + i, WriteCsv.defaults())
                            .files()
                            .getFirst();
                    List<String> types = table.schema().fields().stream()
                            .map(field -> duckType(field.type()))
                            .toList();
                    StringBuilder columns = new StringBuilder();
                    for (int c = 0; c < types.size(); c++) {
                        columns.append(c == 0 ? "" : ", ").append("'k" + c + "': '" + types.get(c) + "'");
                    }
                    sql.execute("create or replace table t as select * from read_csv('" + ours
                            + "', header = true, auto_detect = false,"
                            + " delim = ',', quote = '\"', escape = '\"', allow_quoted_nulls = false, columns = {"
                            + columns + "})");
                    String theirs = folder + "/theirs-" + i + ".csv";
                    sql.execute("copy t to '" + theirs + "' (header false)");
                    ReadCsv options = ReadCsv.defaults()
                            .keepQuoted()
                            .nullTexts("")
                            .names(table.schema().names().toArray(String[]::new));
                    for (Field field : table.schema().fields()) {
                        options = options.column(field.name(), field.type());
                    }
                    assertThat(all(session.readCsv(theirs, options)))
                            .as("table " + i + ", seed " + SEED)
                            .isEqualTo(all(table));
                    try (ResultSet count = sql.executeQuery("select count(*) from t")) {
                        count.next();
                        assertThat(count.getLong(1)).isEqualTo(table.count());
                    }
                }
            }
        }
    }

    private static String duckType(DataType type) {
        return switch (type) {
            case DataType.Int _ -> "BIGINT";
            case DataType.Float _ -> "DOUBLE";
            case DataType.Bool _ -> "BOOLEAN";
            case DataType.Date _ -> "DATE";
            case DataType.Timestamp _ -> "TIMESTAMP";
            case DataType.Decimal _ -> "DECIMAL(12, 3)";
            default -> "VARCHAR";
        };
    }
}
