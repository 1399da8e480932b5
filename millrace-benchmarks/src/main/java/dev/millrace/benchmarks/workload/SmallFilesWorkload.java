package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import java.nio.file.Files;
import java.nio.file.Path;

/// Many small files: the cost of opening them and reading footers dominates, not decoding.
public final class SmallFilesWorkload implements Workload {
    @Override
    public String name() {
        return "small-files";
    }

    @Override
    public String sentence() {
        return "10,000 Parquet files of 100 rows each, all columns decoded and counted";
    }

    @Override
    public long rows() {
        return 1_000_000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        Path folder = settings.data() == null ? null : settings.data().resolve("small");
        if (folder == null || !Files.isDirectory(folder)) {
            throw new BenchFailure(
                    "This workload reads DIR/small/*.parquet: give --data DIR. Any files will do that have"
                            + " 1,000,000 rows together, 100 each.");
        }
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.readParquet(folder.toString())
                                    .mapBatches(batch -> Batch.of("n", new long[] {batch.rows()}))
                                    .sum("n"))
                    .perSecond("rows_per_second", rows());
        }
    }
}
