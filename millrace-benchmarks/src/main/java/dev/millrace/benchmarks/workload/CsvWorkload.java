package dev.millrace.benchmarks.workload;

import static java.util.Objects.requireNonNull;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import java.nio.file.Path;

/// Every column of every row of CSV files, parsed and passed to a function that only counts. The files are created once
/// from the Parquet files below `--data`.
public final class CsvWorkload implements Workload {
    @Override
    public String name() {
        return "csv";
    }

    @Override
    public String sentence() {
        return "12 million rows of CSV, all 16 columns parsed and counted";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public void prepare(BenchSettings settings) throws BenchFailure {
        String parquet = LineItem.folder(settings);
        String[] made = folder(settings).toFile().list((_, name) -> name.endsWith(".csv"));
        if (made == null || made.length == 0) {
            try (Session session = Sessions.quiet()) {
                session.readParquet(parquet).writeCsv(folder(settings).toString());
            }
        }
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = folder(settings).toString();
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.readCsv(folder)
                                    .mapBatches(batch -> Batch.of("n", new long[] {batch.rows()}))
                                    .sum("n"))
                    .perSecond("rows_per_second", rows());
        }
    }

    private static Path folder(BenchSettings settings) {
        return requireNonNull(settings.data(), "prepared without a folder").resolve("csv/lineitem");
    }
}
