package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// Every column of every row, decoded and passed to a function that only counts.
public final class ReadWorkload implements Workload {
    @Override
    public String name() {
        return "read";
    }

    @Override
    public String sentence() {
        return "12 million rows of Parquet, all 16 columns decoded and counted";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.readParquet(folder)
                                    .mapBatches(batch -> Batch.of("n", new long[] {batch.rows()}))
                                    .sum("n"))
                    .perSecond("rows_per_second", rows());
        }
    }
}
