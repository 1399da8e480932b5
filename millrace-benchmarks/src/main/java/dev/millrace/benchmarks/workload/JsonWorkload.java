package dev.millrace.benchmarks.workload;

import static java.util.Objects.requireNonNull;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/// Every field of every object of JSON lines, parsed and passed to a function that only counts. The files are created
/// once from the Parquet files below `--data`.
public final class JsonWorkload implements Workload {
    private static final long ROWS = 3_000_000;

    @Override
    public String name() {
        return "json";
    }

    @Override
    public String sentence() {
        return "3 million rows of JSON lines (1.1 GB), all 16 fields parsed and counted";
    }

    @Override
    public long rows() {
        return ROWS;
    }

    @Override
    public void prepare(BenchSettings settings) throws BenchFailure {
        String parquet = LineItem.folder(settings);
        if (!Files.isDirectory(folder(settings))) {
            try (Session session = Sessions.quiet()) {
                session.readParquet(parquet)
                        .limit(ROWS)
                        .writeJson(
                                folder(settings).toString(),
                                WriteOptions.defaults().errorIfExists());
            }
        }
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = folder(settings).toString();
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.readJson(folder)
                                    .mapBatches(batch -> Batch.of("n", new long[] {batch.rows()}))
                                    .sum("n"))
                    .perSecond("rows_per_second", rows());
        }
    }

    private static Path folder(BenchSettings settings) {
        return requireNonNull(settings.data(), "prepared without a folder").resolve("json/lineitem");
    }
}
