package dev.millrace.cli;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.relation.Join;
import dev.millrace.sink.WriteCsv;
import dev.millrace.sink.WriteOptions;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/// Jobs over files as users have them, for the training of the ahead-of-time cache: every shuffle, the common
/// expressions, each text format and queries. A profile is recorded of a method that was compiled once, so each job
/// sees enough rows for that.
final class TrainingJobs {
    private static final int ROUNDS = 2;

    /// Of what queries ask: groups, joins, subqueries, windows, texts, dates and conditions.
    private static final List<String> QUERIES = List.of(
            "SELECT shop, count(*) AS n, sum(price * (1 - discount)) AS net, avg(weight) AS mean FROM sales"
                    + " WHERE day <= DATE '2024-06-01' GROUP BY shop ORDER BY net DESC LIMIT 10",
            "SELECT g.region, s.shop, sum(s.price) AS total FROM sales s JOIN shops g ON s.shop = g.shop"
                    + " WHERE g.region IN ('north', 'south') AND s.weight BETWEEN 10 AND 90"
                    + " GROUP BY g.region, s.shop HAVING sum(s.price) > 10 ORDER BY 1, 2",
            "SELECT extract(year FROM day) AS y, count(DISTINCT customer) AS c, max(price) AS most FROM sales"
                    + " GROUP BY extract(year FROM day) ORDER BY y",
            "SELECT customer, sum(price) AS spent FROM sales WHERE customer IN (SELECT customer FROM sales"
                    + " WHERE discount > 9) GROUP BY customer ORDER BY spent DESC LIMIT 5",
            "SELECT shop, day, price, row_number() OVER (PARTITION BY shop ORDER BY price DESC) AS n FROM sales"
                    + " WHERE note LIKE 'note a%' ORDER BY shop, n LIMIT 20",
            "SELECT upper(substring(shop, 1, 4)) AS s, CASE WHEN weight > 50 THEN 'heavy' ELSE 'light' END AS w,"
                    + " count(*) AS n, sum(CASE WHEN discount = 0 THEN price ELSE 0 END) AS full_price FROM sales"
                    + " GROUP BY 1, 2",
            "SELECT g.region, a.spent FROM shops g LEFT JOIN (SELECT shop, sum(price) AS spent FROM sales GROUP BY shop)"
                    + " a ON a.shop = g.shop WHERE NOT EXISTS (SELECT 1 FROM sales x WHERE x.shop = g.shop AND x.price < 0)",
            "SELECT count(*) AS n, avg(price) AS p, min(day) AS first, stddev(weight) AS s FROM sales"
                    + " WHERE day BETWEEN DATE '2022-06-01' AND DATE '2024-06-01' OR shop = 'shop 7'");

    private TrainingJobs() {}

    /// Runs them.
    ///
    /// @param sales the files of [Warm.Sale]s
    /// @param folder for files that they write
    static void run(Session session, String sales, Path folder) {
        String shops = folder.resolve("shops").toString();
        session.range(100)
                .map(row -> row.with("shop", "shop " + row.getLong("id"))
                        .with("region", List.of("north", "south", "east").get((int) (row.getLong("id") % 3))))
                .writeParquet(shops);
        for (int round = 0; round < ROUNDS; round++) {
            shuffles(session, sales, shops, folder);
            texts(session, sales, folder);
        }
        queries(sales, shops, folder);
    }

    private static void shuffles(Session session, String sales, String shops, Path folder) {
        Dataset rows = session.readParquet(sales);
        WriteOptions overwrite = WriteOptions.defaults().overwrite();
        String out = folder.resolve("out").toString();
        rows.groupBy("customer").aggregate(sum("price"), count(), max("weight")).count();
        rows.groupBy("note").aggregate(min("day"), sum("weight")).count();
        rows.groupBy("shop", "day").aggregate(count()).count();
        rows.select("customer", "price", "weight").sort("price").writeParquet(out, overwrite);
        rows.select("note", "day").sort("note").count();
        rows.select("shop", "day").distinct().count();
        rows.randomShuffle(1).select("customer", "note").writeParquet(out, overwrite);
        rows.join(session.readParquet(shops), Join.inner().on("shop", "shop"))
                .groupBy("region")
                .aggregate(sum("price"), count())
                .takeAll();
        Dataset spent = rows.groupBy("customer").aggregate(sum("price").as("spent"));
        rows.join(spent, Join.left().on("customer", "customer"))
                .aggregate(sum("spent"))
                .takeAll();
        rows.withColumn("net", col("weight").times(col("weight").plus(1.5)))
                .withColumn("half", col("customer").dividedBy(2))
                .withColumn("short", col("note").substring(0, 6).upper())
                .filter(col("net").gt(100.0).and(col("shop").ne("shop 3")))
                .writeParquet(out, overwrite);
    }

    private static void texts(Session session, String sales, Path folder) {
        String csv = folder.resolve("csv").toString();
        String json = folder.resolve("json").toString();
        WriteOptions overwrite = WriteOptions.defaults().overwrite();
        Dataset rows = session.readParquet(sales).limit(100_000);
        rows.writeCsv(csv, WriteCsv.defaults().files(overwrite));
        rows.select("customer", "weight", "shop", "note").writeJson(json, overwrite);
        session.readCsv(csv).filter(col("weight").gt(50.0)).count();
        session.readCsv(csv).groupBy("shop").aggregate(sum("weight")).takeAll();
        session.readJson(json).groupBy("shop").aggregate(sum("weight")).takeAll();
    }

    /// Through the command, as users ask them.
    private static void queries(String sales, String shops, Path folder) {
        for (int round = 0; round < ROUNDS; round++) {
            for (String query : QUERIES) {
                command("sql", query, "--table", "sales=" + sales, "--table", "shops=" + shops);
            }
            command("sql", String.format(Locale.ROOT, "SELECT * FROM '%s' LIMIT 30", sales), "--format", "csv");
            command("sql", "SELECT count(*) FROM '" + folder.resolve("csv") + "/*.csv'", "--format", "json");
        }
    }

    private static void command(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(Writer.nullWriter()));
        command.setErr(new PrintWriter(Writer.nullWriter()));
        if (command.execute(arguments) != 0) {
            throw new IllegalStateException("failed: " + String.join(" ", arguments));
        }
    }
}
