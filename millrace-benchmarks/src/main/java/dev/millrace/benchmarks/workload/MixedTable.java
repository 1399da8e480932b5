package dev.millrace.benchmarks.workload;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.sql;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.expression.Expression;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A table of the kinds of columns that the TPC-H files lack: nulls, strings with very many values, several keys. It is
/// created once below `--data`, with values that depend only on the row number, and read by Millrace and peers alike.
/// `facts` has six million rows, `names` one for each of its million strings, `pairs` one for each pair of keys.
record MixedTable(Path folder) {
    static final long ROWS = 6_000_000;
    private static final long NAMES = 1_000_000;
    private static final long PAIRS = 30_000;
    /// A prime: `number * multiplier % PRIME` spreads row numbers evenly.
    private static final String PRIME = "4294967291";

    static MixedTable in(BenchSettings settings) throws BenchFailure {
        if (settings.data() == null) {
            throw new BenchFailure(
                    "This workload writes its input to DIR/mixed and reads it from there: give --data DIR.");
        }
        return new MixedTable(settings.data().resolve("mixed"));
    }

    Dataset facts(Session session) {
        return session.readParquet(folder.resolve("facts").toString());
    }

    Dataset names(Session session) {
        return session.readParquet(folder.resolve("names").toString());
    }

    Dataset pairs(Session session) {
        return session.readParquet(folder.resolve("pairs").toString());
    }

    /// Writes the tables that are missing.
    void create(BenchSettings settings) {
        try (Session session = Sessions.quiet()) {
            create("facts", session.range(settings.scaled(ROWS)).select(columns()));
            create(
                    "names",
                    session.range(settings.scaled(NAMES))
                            .select(
                                    sql(name("id")).as("name"),
                                    sql(nullable("id", 31, "id % 1000")).as("score"),
                                    col("id").as("number")));
            create(
                    "pairs",
                    session.range(settings.scaled(PAIRS))
                            .select(
                                    col("id").mod(100).as("a"),
                                    col("id").intDiv(100).as("b"),
                                    col("id").as("number")));
        }
    }

    private void create(String table, Dataset rows) {
        Path place = folder.resolve(table);
        if (!Files.exists(place.resolve("_SUCCESS"))) {
            rows.writeParquet(place.toString());
        }
    }

    private static Expression[] columns() {
        return List.of(
                        sql("id"),
                        sql(nullable("id", 7, spread("id", 2654435761L) + " % 100000"))
                                .as("k"),
                        sql(nullable("id", 11, spread("id", 2246822519L) + " % 1000000"))
                                .as("v"),
                        sql(nullable("id", 13, "CAST(" + spread("id", 3266489917L) + " % 80000 AS DOUBLE) / 8"))
                                .as("w"),
                        sql(nullable(
                                        "id",
                                        17,
                                        "concat('tag-', CAST(" + spread("id", 668265263L) + " % 1000 AS VARCHAR))"))
                                .as("t"),
                        sql(name(spread("id", 374761393L) + " % 1000000")).as("name"),
                        sql(spread("id", 2869860233L) + " % 100").as("a"),
                        sql(spread("id", 3168982561L) + " % 300").as("b"),
                        sql("concat('c', CAST(" + spread("id", 2870177450L) + " % 10 AS VARCHAR))")
                                .as("c"),
                        sql(money("id", 1664525, 50, 100, 100)).as("quantity"),
                        sql(money("id", 22695477, 10_000_000, 1, 90_000)).as("price"),
                        sql(money("id", 1103515245, 11, 1, 0)).as("discount"),
                        sql(money("id", 134775813, 9, 1, 0)).as("tax"),
                        sql("CASE WHEN " + spread("id", 69069) + " % 3 = 0 THEN 'A' WHEN " + spread("id", 69069)
                                        + " % 3 = 1 THEN 'N' ELSE 'R' END")
                                .as("flag"),
                        sql("CASE WHEN " + spread("id", 1812433253) + " % 2 = 0 THEN 'F' ELSE 'O' END")
                                .as("status"),
                        sql("CAST(CAST(8035 + " + spread("id", 214013) + " % 2500 AS INTEGER) AS DATE)")
                                .as("day"))
                .toArray(Expression[]::new);
    }

    /// An expression with a name.
    static Expression column(String name, String text) {
        return sql(text).as(name);
    }

    private static String spread(String number, long multiplier) {
        return "(" + number + " * " + multiplier + " % " + PRIME + ")";
    }

    /// The value, or null in three of ten rows.
    private static String nullable(String number, int salt, String value) {
        return "CASE WHEN " + spread(number, 2654435789L + 2L * salt) + " % 10 < 3 THEN NULL ELSE " + value + " END";
    }

    private static String name(String number) {
        return "concat('customer-', lpad(CAST(" + number + " AS VARCHAR), 9, '0'))";
    }

    /// A decimal of 15 digits: `step / 100` times a number below `values`, and `least / 100` more.
    private static String money(String number, long multiplier, long values, long step, long least) {
        return "CAST(CAST(" + spread(number, multiplier) + " % " + values + " * " + step + " + " + least
                + " AS DOUBLE) / 100 AS DECIMAL(15, 2))";
    }
}
