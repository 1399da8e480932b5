package dev.millrace.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Small tables of random rows, many of them null, of few different values so that keys meet. All have the same columns
/// but for their names: `a_id`, `b_id`.
final class RandomTables {
    static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> TEXTS =
            List.of("", "x", "ab", "abc", "Été", "a%b", "2024-01-02", " pad ", "B", "10");

    /// What a column or an expression is; all widths of whole numbers are one.
    enum Kind {
        WHOLE,
        DECIMAL,
        REAL,
        TEXT,
        DATE,
        TIME,
        TRUTH
    }

    /// @param name behind the table's
    record Column(String name, Kind kind, String type) {}

    static final List<Column> COLUMNS = List.of(
            new Column("id", Kind.WHOLE, "INTEGER"),
            new Column("i", Kind.WHOLE, "INTEGER"),
            new Column("big", Kind.WHOLE, "BIGINT"),
            new Column("small", Kind.WHOLE, "SMALLINT"),
            new Column("n", Kind.DECIMAL, "DECIMAL(9, 2)"),
            new Column("r", Kind.REAL, "DOUBLE"),
            new Column("t", Kind.TEXT, "VARCHAR"),
            new Column("u", Kind.TEXT, "VARCHAR"),
            new Column("d", Kind.DATE, "DATE"),
            new Column("ts", Kind.TIME, "TIMESTAMP"),
            new Column("f", Kind.TRUTH, "BOOLEAN"));

    private final Random random;

    RandomTables(Random random) {
        this.random = random;
    }

    /// Makes the tables, in place of those of these names that are there.
    void create(Connection duck) throws SQLException {
        try (Statement statement = duck.createStatement()) {
            for (String table : NAMES) {
                List<String> columns = new ArrayList<>();
                COLUMNS.forEach(column -> columns.add(table + "_" + column.name() + " " + column.type()));
                statement.execute("CREATE OR REPLACE TABLE " + table + " (" + String.join(", ", columns) + ")");
                int rows = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(24);
                for (int row = 0; row < rows; row++) {
                    statement.execute("INSERT INTO " + table + " VALUES (" + row(row) + ")");
                }
            }
        }
    }

    private String row(int id) {
        List<String> values = new ArrayList<>();
        for (Column column : COLUMNS) {
            boolean isNull = random.nextInt(5) == 0 && !column.name().equals("id");
            values.add(column.name().equals("id") ? "" + id : isNull ? "NULL" : constant(column.kind()));
        }
        return String.join(", ", values);
    }

    /// A constant of a kind, of the same few as the tables have.
    String constant(Kind kind) {
        return switch (kind) {
            case WHOLE -> "" + (random.nextInt(10) - 3);
            case DECIMAL ->
                (random.nextInt(12) - 4) + "." + List.of("00", "25", "50", "99").get(random.nextInt(4));
            case REAL -> (random.nextInt(80) - 30) / 4.0 + "e0";
            case TEXT -> "'" + TEXTS.get(random.nextInt(TEXTS.size())) + "'";
            case DATE -> "date '2024-0" + (1 + random.nextInt(2)) + "-" + (26 + random.nextInt(4)) + "'";
            case TIME ->
                "timestamp '2024-01-" + (29 + random.nextInt(3)) + " 0" + random.nextInt(4) + ":"
                        + (10 * random.nextInt(6) + 10) % 60 + (random.nextInt(3) == 0 ? ":30.25'" : ":00'");
            case TRUTH -> random.nextBoolean() ? "true" : "false";
        };
    }
}
