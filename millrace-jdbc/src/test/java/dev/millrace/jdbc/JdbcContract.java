package dev.millrace.jdbc;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WriteSummary;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What reading and writing a database does, whichever it is.
@Timeout(120)
abstract class JdbcContract {
    protected Session session;

    /// The database of this class, empty or not.
    protected abstract Connections connections();

    private Jdbc database() {
        return Jdbc.connect(connections());
    }

    @BeforeEach
    void open() throws SQLException {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        for (String table : List.of("numbers", "copy", "everything")) {
            execute("DROP TABLE IF EXISTS " + table);
        }
        execute("CREATE TABLE numbers (n BIGINT, name VARCHAR(40), half DOUBLE PRECISION, made DATE)");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        assertThat(tablesOfJobs()).as("tables that jobs have left").isEmpty();
    }

    protected final void execute(String sql) throws SQLException {
        try (Connection connection = connections().open();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> tablesOfJobs() throws SQLException {
        try (Connection connection = connections().open();
                ResultSet tables = connection.getMetaData().getTables(null, null, "millrace_%", null)) {
            List<String> names = new ArrayList<>();
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
            return names;
        }
    }

    private void fillNumbers(int rows) throws SQLException {
        execute("INSERT INTO numbers SELECT i, 'row ' || i, i / 2.0, DATE '2024-01-01' FROM generate_series(0, "
                + (rows - 1) + ") AS t(i)");
    }

    private static List<Long> numbersOf(Dataset dataset) {
        return dataset.takeAll().stream()
                .map(row -> (Long) row.get("n"))
                .sorted(Comparator.nullsLast(Comparator.naturalOrder()))
                .toList();
    }

    @Test
    void aQueryIsReadInItsOrder() throws SQLException {
        fillNumbers(50_000);
        Dataset rows = session.read(
                database().query("SELECT n, name FROM numbers ORDER BY n;").fetchSize(1_000));
        assertThat(rows.schema().toString()).contains("n: int64").contains("name: utf8");
        List<Row> all = rows.takeAll();
        assertThat(all).hasSize(50_000);
        assertThat(all.get(49_999).get("name")).isEqualTo("row 49999");
        assertThat(all.get(49_999).get("n")).isEqualTo(49_999L);
    }

    @Test
    void aQueryOfNoRowsHasItsColumns() {
        Dataset rows = session.read(database().query("SELECT * FROM numbers"));
        assertThat(rows.count()).isZero();
        assertThat(rows.schema().names()).containsExactly("n", "name", "half", "made");
    }

    @Test
    void rangesOfAColumnAreReadEachByItself() throws SQLException {
        fillNumbers(10_000);
        execute("INSERT INTO numbers VALUES (NULL, 'none', NULL, NULL)");
        Dataset rows = session.read(database().query("SELECT * FROM numbers").shard("n", 7));
        List<Long> numbers = numbersOf(rows);
        assertThat(numbers).hasSize(10_001);
        assertThat(numbers.subList(0, 10_000))
                .isEqualTo(LongStream.range(0, 10_000).boxed().toList());
        assertThat(numbersOf(
                        session.read(database().query("SELECT * FROM numbers").shard("made", 3))))
                .hasSize(10_001);
        assertThat(numbersOf(
                        session.read(database().query("SELECT * FROM numbers").shard("half", 5))))
                .hasSize(10_001);
    }

    @Test
    void remaindersOfAnExpressionCutAQueryToo() throws SQLException {
        fillNumbers(1_000);
        execute("INSERT INTO numbers VALUES (NULL, 'none', NULL, NULL), (-7, 'below', 0, NULL)");
        List<Long> numbers =
                numbersOf(session.read(database().query("SELECT n FROM numbers").shardBy("n", 4)));
        assertThat(numbers).hasSize(1_002).startsWith(-7L, 0L, 1L);
    }

    @Test
    void aTableWithoutRowsIsOnePart() {
        assertThat(session.read(database().query("SELECT * FROM numbers").shard("n", 7))
                        .count())
                .isZero();
    }

    @Test
    void onlyColumnsThatAreUsedAreAskedFor() throws SQLException {
        fillNumbers(10);
        Dataset names = session.read(database().query("SELECT * FROM numbers")).select("name");
        assertThat(names.takeAll())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row.columns()).containsExactly("name"));
    }

    @Test
    void errorsNameTheQueryTheColumnAndTheWayOut() throws SQLException {
        assertThatThrownBy(() -> session.read(database().query("SELECT * FROM nowhere")))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("The query 'SELECT * FROM nowhere' cannot be read: ")
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() ->
                        session.read(database().query("SELECT * FROM numbers").shard("name", 4)))
                .hasMessageContaining("cannot be cut into ranges of 'name', which is utf8")
                .hasMessageContaining("shardBy(");
        assertThatThrownBy(() ->
                        session.read(database().query("SELECT * FROM numbers").shard("m", 4)))
                .hasMessageContaining("'m'");
        assertThatThrownBy(() ->
                        Jdbc.connect("jdbc:nothing://host/db?password=secret").query(" ; "))
                .hasMessage("The query is empty.");
        assertThatThrownBy(() -> database().query("SELECT 1").fetchSize(0))
                .hasMessage("The fetch size must be at least 1, not 0.");
        assertThatThrownBy(() ->
                        session.read(Jdbc.connect("jdbc:nothing://host/db").query("SELECT 1")))
                .hasMessageContaining("Add the database's JDBC driver to the class path");
    }

    @Test
    void everyTypeComesBackAsItWas() throws SQLException {
        Schema schema = Schema.of(List.of(
                new Field("yes", DataType.BOOL),
                new Field("small", DataType.INT16),
                new Field("whole", DataType.INT32),
                new Field("big", DataType.INT64),
                new Field("real", DataType.FLOAT32),
                new Field("wide", DataType.FLOAT64),
                new Field("money", DataType.decimal(18, 4)),
                new Field("text", DataType.UTF8),
                new Field("raw", DataType.BINARY),
                new Field("day", DataType.DATE),
                new Field("clock", DataType.time(TimeUnit.MICROSECOND)),
                new Field("moment", DataType.timestamp(TimeUnit.MICROSECOND)),
                new Field("exact", DataType.timestamp(TimeUnit.MICROSECOND, "UTC"))));
        Row full = Row.of(Map.ofEntries(
                Map.entry("yes", true),
                Map.entry("small", (short) -3),
                Map.entry("whole", 1 << 30),
                Map.entry("big", Long.MIN_VALUE),
                Map.entry("real", 1.5f),
                Map.entry("wide", Math.PI),
                Map.entry("money", new BigDecimal("-12345678901234.5678")),
                Map.entry("text", "Größe \uD83D\uDE00 'quoted'"),
                Map.entry("raw", new byte[] {0, -1, 7}),
                Map.entry("day", LocalDate.of(1969, 12, 31)),
                Map.entry("clock", LocalTime.of(23, 59, 59, 123_456_000)),
                // An hour that summer time leaves out in many places.
                Map.entry("moment", LocalDateTime.of(2024, 3, 31, 2, 30, 0, 1_000)),
                Map.entry("exact", Instant.parse("2024-03-31T01:30:00.000001Z"))));
        List<Column> columns = schema.fields().stream()
                .map(field ->
                        Columns.of(session.allocator(), field.type(), Arrays.asList(full.get(field.name()), null)))
                .toList();
        session.fromBlocks(List.of(Block.of(schema, columns, 2)))
                .write(database().table("everything").createIfMissing(schema));
        List<Row> back = session.read(database().query("SELECT * FROM everything ORDER BY big NULLS LAST"))
                .takeAll();
        assertThat(back).hasSize(2);
        for (Field field : schema.fields()) {
            Object value = back.getFirst().get(field.name());
            Object wanted = full.get(field.name());
            if (wanted instanceof Instant instant) {
                assertThat(((java.time.ZonedDateTime) value).toInstant()).isEqualTo(instant);
            } else if (wanted instanceof Float real) {
                // What SQL calls FLOAT is wider in most databases.
                assertThat(((Number) value).doubleValue()).isEqualTo(real.doubleValue());
            } else {
                assertThat(value).as(field.name()).isEqualTo(wanted);
            }
            assertThat(back.getLast().get(field.name())).as(field.name()).isNull();
        }
    }

    private Dataset ids(long rows) {
        return session.range(rows, 5)
                .select(col("id").as("n"), col("id").cast(DataType.UTF8).as("name"));
    }

    @Test
    void rowsAreAddedInOneTransaction() throws SQLException {
        fillNumbers(10);
        WriteSummary summary = ids(10_000).write(database().table("numbers"));
        assertThat(summary.rows()).isEqualTo(10_000);
        Dataset back = session.read(database().query("SELECT * FROM numbers"));
        assertThat(back.count()).isEqualTo(10_010);
        assertThat(back.filter(col("half").isNull()).count()).isEqualTo(10_000);
    }

    @Test
    void columnsThatTheDatasetLacksGetTheirDefaults() throws SQLException {
        execute("CREATE TABLE copy (n BIGINT, name VARCHAR(40), kind VARCHAR(10) DEFAULT 'plain')");
        ids(10).write(database().table("copy"));
        assertThat(session.read(database().query("SELECT kind FROM copy")).takeAll())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row.get("kind")).isEqualTo("plain"));
    }

    @Test
    void overwritingReplacesTheRowsAndAFailureLeavesThem() throws SQLException {
        fillNumbers(10);
        Dataset failing = ids(10_000).map(row -> {
            if ((Long) row.get("n") == 7_777) {
                throw new IllegalStateException("no more");
            }
            return row;
        });
        assertThatThrownBy(() -> failing.write(database().table("numbers").overwrite()))
                .hasMessageContaining("no more");
        assertThat(session.read(database().query("SELECT * FROM numbers")).count())
                .isEqualTo(10);
        ids(100).write(database().table("numbers").overwrite());
        assertThat(numbersOf(session.read(database().query("SELECT * FROM numbers"))))
                .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }

    @Test
    void modesIgnoreAndErrorLeaveRowsAlone() throws SQLException {
        ids(5).write(database().table("numbers").mode(WriteMode.ERROR));
        assertThat(ids(5).write(database().table("numbers").mode(WriteMode.IGNORE))
                        .skipped())
                .isTrue();
        assertThatThrownBy(() -> ids(5).write(database().table("numbers").mode(WriteMode.ERROR)))
                .hasMessageContaining("has rows already");
        assertThat(session.read(database().query("SELECT * FROM numbers")).count())
                .isEqualTo(5);
    }

    @Test
    void aDirectWriteInsertsStraightIntoTheTable() throws SQLException {
        ids(3_000).write(database().table("numbers").direct().batchSize(100));
        assertThat(numbersOf(session.read(database().query("SELECT * FROM numbers"))))
                .isEqualTo(LongStream.range(0, 3_000).boxed().toList());
        assertThatThrownBy(() -> database().table("numbers").overwrite().direct())
                .hasMessageContaining("cannot overwrite");
    }

    @Test
    void whatATableCannotTakeIsToldBeforeAnythingRuns() {
        assertThatThrownBy(() -> ids(5).write(database().table("nowhere")))
                .hasMessageContaining("There is no table 'nowhere'")
                .hasMessageContaining("createIfMissing");
        assertThatThrownBy(() -> session.rangeTensor(5, 2).write(database().table("numbers")))
                .hasMessageContaining("which a table cannot hold");
        assertThatThrownBy(() -> session.range(5).write(database().table("numbers")))
                .hasMessageContaining("Rows could not be inserted into 'numbers'");
    }
}
