package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.benchmarks.workload.MixedTable.column;
import static dev.millrace.expression.Expressions.col;
import static java.util.Objects.requireNonNull;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.relation.Join;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A query over [MixedTable]: nulls, several keys, a million strings as keys, decimals, functions over text and casts.
public record MixedWorkload(String name, String sentence, Query query) implements Workload {
    /// Computes a short text from the tables.
    public interface Query {
        String answer(Session session, MixedTable tables) throws Exception;
    }

    /// All of the family.
    public static List<Workload> all() {
        List<Workload> all = new ArrayList<>(nulls());
        all.addAll(keys());
        all.addAll(strings());
        all.add(new MixedWorkload(
                "decimals",
                "6 million rows grouped by two strings, sums and means of decimals and their products, as TPC-H 1",
                MixedWorkload::pricing));
        all.add(new MixedWorkload(
                "text-functions",
                "regular expressions, replace, split and pad over 6 million strings",
                (session, tables) -> totals(tables.facts(session)
                        .select(
                                column("x1", "length(regexp_replace(name, '[0-4]+', '#'))"),
                                column("x2", "length(replace(name, '-0', '+++'))"),
                                column("x3", "CAST(split_part(name, '-', 2) AS BIGINT)"),
                                column("x4", "length(rpad(t, 12, '.'))"),
                                column("x5", "CASE WHEN upper(name) LIKE '%9%7%' THEN 1 ELSE 0 END")))));
        all.add(new MixedWorkload(
                "casts",
                "casts between numbers, decimals, text and dates, and date arithmetic, over 6 million rows",
                (session, tables) -> totals(tables.facts(session)
                        .select(
                                column("x1", "length(CAST(v AS VARCHAR))"),
                                column("x2", "length(CAST(price AS VARCHAR))"),
                                column("x3", "CAST(floor(CAST(price AS DOUBLE) * 4) AS BIGINT)"),
                                column("x4", "CAST(v AS DECIMAL(12, 2))"),
                                column("x5", "length(CAST(day AS VARCHAR))"),
                                column("x6", "year(day + INTERVAL 1 MONTH)")))));
        return all;
    }

    private static List<Workload> nulls() {
        return List.of(
                new MixedWorkload(
                        "nulls-filter",
                        "a condition over columns of which three in ten are null, and sums of the rest, of 6 million rows",
                        (session, tables) -> line(tables.facts(session)
                                .filter("v > 200000 AND (w < 9000 OR k < 50000)")
                                .aggregate(count().as("n"), sum("v").as("v"), sum("w").as("w")))),
                new MixedWorkload(
                        "nulls-group",
                        "6 million rows into 100 thousand groups, keys and values null in three of ten",
                        (session, tables) -> line(tables.facts(session)
                                .groupBy("k")
                                .aggregate(
                                        sum("v").as("v"),
                                        mean("w").as("w"),
                                        count("w").as("n"),
                                        max("v").as("m"))
                                .aggregate(
                                        count().as("g"),
                                        sum("v").as("v"),
                                        sum("w").as("w"),
                                        sum("n").as("n"),
                                        sum("m").as("m")))),
                new MixedWorkload(
                        "nulls-join",
                        "6 million rows joined with a million by a key of which three in ten are null",
                        (session, tables) -> line(tables.facts(session)
                                .join(
                                        tables.names(session).select("number", "score"),
                                        Join.inner().on("k", "number"))
                                .aggregate(
                                        count().as("n"),
                                        sum("v").as("v"),
                                        sum("score").as("s")))),
                new MixedWorkload(
                        "nulls-sort",
                        "6 million rows sorted by a column of which three in ten are null, and written as Parquet",
                        (session, tables) ->
                                sorted(session, tables.facts(session).select("w", "v", "k"), "w")));
    }

    private static List<Workload> keys() {
        return List.of(
                new MixedWorkload(
                        "keys-group",
                        "6 million rows into 300 thousand groups by two numbers and a string",
                        (session, tables) -> line(tables.facts(session)
                                .groupBy("a", "b", "c")
                                .aggregate(sum("v").as("v"), count().as("n"))
                                .aggregate(count().as("g"), sum("v").as("v"), max("n").as("m")))),
                new MixedWorkload(
                        "keys-join",
                        "6 million rows joined with 30 thousand by two keys",
                        (session, tables) -> line(tables.facts(session)
                                .join(tables.pairs(session), Join.inner("a", "b"))
                                .aggregate(count().as("n"), sum("number").as("s")))),
                new MixedWorkload(
                        "keys-sort",
                        "6 million rows sorted by a string, two numbers and another, and written as Parquet",
                        (session, tables) -> sorted(
                                session, tables.facts(session).select("c", "a", "b", "id"), "c", "a", "b", "id")));
    }

    private static List<Workload> strings() {
        return List.of(
                new MixedWorkload(
                        "strings-group",
                        "6 million rows into a million groups by a string of 18 bytes",
                        (session, tables) -> line(tables.facts(session)
                                .groupBy("name")
                                .aggregate(sum("v").as("v"), count().as("n"))
                                .aggregate(count().as("g"), sum("v").as("v"), max("n").as("m")))),
                new MixedWorkload(
                        "strings-join",
                        "6 million rows joined with a million by a string of 18 bytes",
                        (session, tables) -> line(tables.facts(session)
                                .join(tables.names(session), Join.inner("name"))
                                .aggregate(
                                        count().as("n"),
                                        sum("score").as("s"),
                                        sum("number").as("u")))),
                new MixedWorkload(
                        "strings-distinct",
                        "the distinct strings of 6 million rows, a million",
                        (session, tables) -> Long.toString(
                                tables.facts(session).select("name").distinct().count())),
                new MixedWorkload(
                        "strings-sort",
                        "6 million rows sorted by a string of 18 bytes, and written as Parquet",
                        (session, tables) ->
                                sorted(session, tables.facts(session).select("name", "id"), "name", "id")));
    }

    @Override
    public long rows() {
        return MixedTable.ROWS;
    }

    @Override
    public void prepare(BenchSettings settings) throws Exception {
        MixedTable.in(settings).create(settings);
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        MixedTable tables = MixedTable.in(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> query.answer(session, tables))
                    .perSecond("rows_per_second", settings.scaled(rows()))
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    private static String pricing(Session session, MixedTable tables) {
        Dataset groups = tables.facts(session)
                .filter("day <= DATE '1998-09-02'")
                .select(
                        col("flag"),
                        col("status"),
                        col("quantity"),
                        col("price"),
                        col("discount"),
                        column("reduced", "price * (1 - discount)"),
                        column("charge", "price * (1 - discount) * (1 + tax)"))
                .groupBy("flag", "status")
                .aggregate(
                        sum("quantity").as("q"),
                        sum("price").as("p"),
                        sum("reduced").as("r"),
                        sum("charge").as("c"),
                        mean("quantity").as("mq"),
                        mean("price").as("mp"),
                        mean("discount").as("md"),
                        count().as("n"))
                .sort("flag", "status");
        return groups.takeAll().stream()
                .map(row -> row.get("flag") + " " + row.get("status") + " " + row.get("q") + " " + row.get("p") + " "
                        + rounded(row, "r") + " " + rounded(row, "c") + " " + row.get("n"))
                .collect(Collectors.joining(", "));
    }

    /// With six digits: engines keep different numbers of digits of a product.
    private static String rounded(Row row, String column) {
        return String.format(Locale.ROOT, "%.6e", number(row, column));
    }

    private static String totals(Dataset rows) {
        return line(
                rows.aggregate(rows.columns().stream().map(x -> sum(x).as(x)).toArray(Aggregate[]::new)));
    }

    /// The values of the only row; numbers as doubles of nine digits, so that engines agree on the text.
    private static String line(Dataset one) {
        Row row = one.takeAll().getFirst();
        return one.columns().stream()
                .map(column -> String.format(Locale.ROOT, "%.8e", number(row, column)))
                .collect(Collectors.joining(" / "));
    }

    private static double number(Row row, String column) {
        return ((Number) requireNonNull(row.get(column), column)).doubleValue();
    }

    /// Writes sorted rows, and reads the keys of the row in the middle.
    private static String sorted(Session session, Dataset rows, String... keys) throws Exception {
        Path out = Files.createTempDirectory("millrace-bench");
        try {
            long written = rows.sort(keys)
                    .writeParquet(out.toString(), WriteOptions.defaults().overwrite())
                    .rows();
            Row middle = session.readParquet(out.toString())
                    .select(keys)
                    .offset(written / 2)
                    .take(1)
                    .getFirst();
            return written + " / "
                    + List.of(keys).stream()
                            .map(key -> String.valueOf(middle.get(key)))
                            .collect(Collectors.joining(" "));
        } finally {
            FolderTrees.delete(out);
        }
    }
}
