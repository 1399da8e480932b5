package dev.millrace.cli;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.column.DecimalColumn;
import dev.millrace.examples.Trips;
import dev.millrace.internal.cluster.worker.WorkerTraining;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.type.DataType;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/// Run by the launcher once after a build, to train the ahead-of-time cache with the classes and the hot methods of
/// what users typically run first.
@Command(name = "warm", hidden = true, mixinStandardHelpOptions = true)
final class Warm implements Runnable {
    private static final int ROWS = 20_000;
    private static final int SALES = 400_000;
    /// The number of scans after which the compilers have seen all of a scan.
    private static final int SCANS = 15;
    private static final int GROUPINGS = 10;

    /// A row of a Parquet file whose columns are dictionaries of different sizes, as in most files.
    public record Sale(
            LocalDate day, long customer, long cents, long percent, double weight, String shop, String note) {}

    @Override
    public void run() {
        try (Session session = Session.open();
                PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Dataset numbers = session.range(ROWS)
                    .map(row -> row.with("square", row.getLong("id") * row.getLong("id")))
                    .filter(row -> row.getLong("square") % 2 == 0)
                    .filter(col("square").gt(10))
                    .mapBatches(batch -> batch.mapLongs("id", id -> id + 1));
            nowhere.println(numbers.count());
            nowhere.println(numbers.take(5));
            nowhere.println(numbers.sum("id"));
            Trips.run(session, ROWS, nowhere);
            parquet(session, nowhere);
        }
        try {
            WorkerTraining.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void parquet(Session session, PrintStream out) {
        Path folder = null;
        try {
            folder = Files.createTempDirectory("millrace-warm");
            String sales = folder.resolve("sales").toString();
            session.range(SALES)
                    .map(Trips.Number.class, Sale.class, Warm::sale)
                    .withColumn("price", col("cents").cast(DataType.decimal(15, 2)))
                    .withColumn("discount", col("percent").cast(DataType.decimal(15, 2)))
                    .drop("cents", "percent")
                    .writeParquet(sales, WriteParquet.defaults().rowGroupRows(100_000));
            for (int i = 0; i < SCANS; i++) {
                out.println(session.readParquet(sales)
                        .filter(col("day")
                                .ge(LocalDate.of(2023, 1, 1))
                                .and(col("discount").gt(new BigDecimal(5))))
                        .select("price", "discount")
                        .mapBatches(batch -> Batch.of("revenue", new double[] {revenue(batch)}))
                        .sum("revenue"));
            }
            for (int i = 0; i < GROUPINGS; i++) {
                Dataset rows = session.readParquet(sales);
                out.println(rows.groupBy(i % 2 == 0 ? "day" : "shop")
                        .aggregate(sum("price"), mean("discount"), count())
                        .aggregate(sum("sum(price)"), sum("mean(discount)"), sum("count()"))
                        .takeAll());
            }
            out.println(session.readParquet(sales).take(5));
            TrainingJobs.run(session, sales, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(folder);
        }
    }

    private static Sale sale(Trips.Number number) {
        SplittableRandom random = new SplittableRandom(number.id());
        return new Sale(
                LocalDate.ofEpochDay(19_000 + random.nextInt(2_000)),
                random.nextInt(50_000),
                random.nextInt(60_000),
                random.nextInt(11),
                random.nextDouble(100),
                "shop " + random.nextInt(100),
                "note " + Long.toString(random.nextLong(1_000_000), 36));
    }

    private static double revenue(Batch batch) {
        DecimalColumn price = (DecimalColumn) batch.column("price");
        DecimalColumn discount = (DecimalColumn) batch.column("discount");
        double sum = 0;
        for (long i = 0; i < batch.rows(); i++) {
            sum += price.low(i) / 100.0 * (discount.low(i) / 100.0);
        }
        return sum;
    }

    private static void delete(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (var files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
