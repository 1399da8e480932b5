package dev.millrace.benchmarks.workload;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.DecimalColumn;
import dev.millrace.iteration.CloseableIterator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Locale;

/// A filter that is pushed down into the read, and a product summed per batch.
public final class ScanWorkload implements Workload {
    @Override
    public String name() {
        return "scan";
    }

    @Override
    public String sentence() {
        return "12 million rows of Parquet filtered by date and decimal, the product of two columns summed";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> scan(session, folder)).perSecond("rows_per_second", rows());
        }
    }

    private static String scan(Session session, String folder) {
        Dataset sums = session.readParquet(folder)
                .filter(col("l_shipdate")
                        .ge(LocalDate.of(1995, 1, 1))
                        .and(col("l_discount").gt(new BigDecimal("0.05"))))
                .select("l_extendedprice", "l_discount")
                .mapBatches(
                        batch -> Batch.of("n", new long[] {batch.rows()}, "revenue", new double[] {revenue(batch)}));
        long rows = 0;
        double revenue = 0;
        try (CloseableIterator<Batch> batches = sums.iterBatches()) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                for (long n : batch.longs("n").toArray()) {
                    rows += n;
                }
                for (double part : batch.doubles("revenue").toArray()) {
                    revenue += part;
                }
            }
        }
        return rows + " / " + String.format(Locale.ROOT, "%.2f", revenue);
    }

    private static double revenue(Batch batch) {
        DecimalColumn price = (DecimalColumn) batch.column("l_extendedprice");
        DecimalColumn discount = (DecimalColumn) batch.column("l_discount");
        double sum = 0;
        for (long i = 0; i < batch.rows(); i++) {
            sum += price.low(i) / 100.0 * (discount.low(i) / 100.0);
        }
        return sum;
    }
}
