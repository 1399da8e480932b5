package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.duckdb.JsonNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Tables that DuckDB and a session both have, and the comparison of what they say to a query.
abstract class SqlOracle {
    private static final int BLOCK = 4_000;
    private static final double TOLERANCE = 1e-9;
    private static final Map<String, String> TABLES = new LinkedHashMap<>();

    static {
        TABLES.put("trips", """
                SELECT i::INTEGER AS id,
                    CASE WHEN i % 11 = 0 THEN NULL ELSE (i * 7 % 6)::INTEGER END AS zone,
                    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'day' WHEN 2 THEN 'night' ELSE 'Dawn' END AS kind,
                    CASE WHEN i % 7 = 0 THEN NULL ELSE (i * 13 % 97 / 2)::DECIMAL(10, 2) END AS fare,
                    CASE WHEN i % 13 = 0 THEN NULL ELSE (i * 31 % 101) / 8 END AS distance,
                    (i * 3 % 8)::SMALLINT AS small,
                    (i % 4 * 10000000000)::BIGINT AS big,
                    CASE WHEN i % 9 = 0 THEN NULL ELSE date '2024-01-01' + (i % 60)::INTEGER END AS day,
                    timestamp '2024-01-01 06:30:00' + INTERVAL (i * 977) MINUTE AS started,
                    CASE WHEN i % 6 = 0 THEN NULL ELSE i % 2 = 0 END AS paid,
                    ['alpha', ' pad ', '100%', 'été', '42', ''][i % 6 + 1] AS note
                FROM range(200) r (i)""");
        TABLES.put("zones", """
                FROM (VALUES (1, 'Harbour', 'east'), (2, 'Mill', 'west'), (3, 'Fair', 'east'), (4, 'Old', NULL),
                    (9, 'Far', 'day'), (NULL, 'Lost', 'west')) AS z (zone_id, name, borough)""");
        TABLES.put(
                "kinds",
                "FROM (VALUES ('day', 'by day'), ('night', 'by night'), (NULL, 'unknown')) AS k (kind, label)");
        TABLES.put("visits", """
                SELECT i::INTEGER AS id,
                    CASE WHEN i = 3 THEN NULL ELSE timestamptz '2024-01-01 22:30:00+00' + INTERVAL (i * 3) HOUR END AS seen,
                    timestamp '2024-01-01 23:00:00.25' + INTERVAL (i * 2) HOUR AS noted,
                    date '2024-01-01' + i::INTEGER AS day,
                    MAP {'a': i, 'b': 2} AS scores, [i, 2] AS places,
                    '{"user": {"name": "u' || i || '", "tags": [' || i || ', "x y", null]}, "n": ' || i || '.50}' AS doc
                FROM range(6) r (i)""");
    }

    private static Connection duck;
    private static Session session;
    private static final Map<String, Dataset> DATASETS = new LinkedHashMap<>();

    @BeforeAll
    static void open(@TempDir Path folder) throws SQLException {
        duck = DriverManager.getConnection("jdbc:duckdb:");
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .blocks(new BlockSettings(BLOCK, BLOCK, BLOCK, BLOCK))
                .open();
        DATASETS.clear();
        try (Statement statement = duck.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("SET threads = 1");
            // Its optimizer takes `nullif('abc', x) LIKE 'a%'` for null where x is.
            statement.execute("PRAGMA disable_optimizer");
            for (Map.Entry<String, String> table : TABLES.entrySet()) {
                Path file = folder.resolve(table.getKey() + ".parquet");
                statement.execute("CREATE TABLE " + table.getKey() + " AS " + table.getValue());
                statement.execute("COPY " + table.getKey() + " TO '" + file + "'");
                DATASETS.put(table.getKey(), session.readParquet(file.toString()));
            }
        }
    }

    /// Random tables beside the others, in place of those of before.
    static void open(RandomTables tables, Path folder) throws SQLException {
        tables.create(duck);
        try (Statement statement = duck.createStatement()) {
            for (String name : RandomTables.NAMES) {
                Path file = folder.resolve(name + ".parquet");
                statement.execute("COPY " + name + " TO '" + file + "'");
                DATASETS.put(name, session.readParquet(file.toString()));
            }
        }
    }

    /// Closing the session throws if a byte is held.
    @AfterAll
    static void close() throws SQLException {
        duck.close();
        session.close();
    }

    static Session session() {
        return session;
    }

    static Dataset sql(String query) {
        return session.sql(query, DATASETS);
    }

    /// The same rows, in the same order where the query has one, else in any.
    static void check(String query, Dataset dataset) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        for (Row row : dataset.takeAll()) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(row.value(i) instanceof ZonedDateTime time ? time.toInstant() : row.value(i));
            }
            rows.add(values);
        }
        List<List<Object>> expected = expected(query);
        assertThat(rows).as(query).hasSameSizeAs(expected);
        if (!isOrdered(query)) {
            rows.sort(BY_TEXT);
            expected.sort(BY_TEXT);
        }
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).as(query).hasSameSizeAs(expected.get(i));
            for (int j = 0; j < rows.get(i).size(); j++) {
                same(
                        query + ": row " + i + ", column " + j,
                        rows.get(i).get(j),
                        expected.get(i).get(j));
            }
        }
    }

    private static boolean isOrdered(String query) {
        String outer = query;
        String inner;
        do {
            inner = outer;
            outer = inner.replaceAll("\\([^()]*\\)", "");
        } while (!outer.equals(inner));
        return outer.contains("ORDER BY");
    }

    private static final Comparator<List<Object>> BY_TEXT = Comparator.comparing(
            row -> row.stream().map(SqlOracle::text).toList().toString());

    private static String text(Object value) {
        return value instanceof Number number
                ? String.format(Locale.ROOT, "%+.6f", number.doubleValue() + 0.0)
                : "" + value;
    }

    static List<List<Object>> expected(String query) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(
                            switch (result.getObject(i)) {
                                case Date date -> date.toLocalDate();
                                // A Timestamp is local time: one that the machine's zone skipped would come out moved.
                                case Timestamp _ -> result.getObject(i, LocalDateTime.class);
                                case JsonNode json -> json.toString();
                                case OffsetDateTime time -> time.toInstant();
                                case null -> null;
                                case Object other -> other;
                            });
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static void same(String which, Object value, Object expected) {
        if (value instanceof Double || expected instanceof Double) {
            assertThat(value).as(which).isNotNull();
            assertThat(expected).as(which).isNotNull();
            double wanted = ((Number) expected).doubleValue();
            double there = ((Number) value).doubleValue();
            if (Double.isFinite(wanted)) {
                assertThat(there).as(which).isCloseTo(wanted, within(TOLERANCE * Math.max(1, Math.abs(wanted))));
            } else {
                assertThat(there).as(which).isEqualTo(wanted);
            }
        } else if (value instanceof Number && expected instanceof Number) {
            assertThat(new BigDecimal(value.toString()))
                    .as(which)
                    .isEqualByComparingTo(new BigDecimal(expected.toString()));
        } else if (value instanceof LocalDate date && expected instanceof LocalDateTime time) {
            // DuckDB makes a timestamp of a date and an interval.
            assertThat(date.atStartOfDay()).as(which).isEqualTo(time);
        } else {
            assertThat(value).as(which).isEqualTo(expected);
        }
    }
}
