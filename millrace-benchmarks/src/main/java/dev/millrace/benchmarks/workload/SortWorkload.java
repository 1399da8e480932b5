package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.internal.sink.Trees;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/// Four columns of every row sorted by a decimal.
public final class SortWorkload implements Workload {
    @Override
    public String name() {
        return "sort";
    }

    @Override
    public String sentence() {
        return "12 million rows of Parquet, 4 columns, sorted by price and written as Parquet";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        Path out = Files.createTempDirectory("millrace-sort");
        try (Session session = Sessions.quiet()) {
            WriteOptions overwrite = WriteOptions.defaults().overwrite();
            return Measurement.repeat(
                            settings.times(),
                            () -> session.readParquet(folder)
                                    .select(LineItem.FOUR)
                                    .sort("l_extendedprice")
                                    .writeParquet(out.toString(), overwrite)
                                    .rows())
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        } finally {
            Trees.delete(out);
        }
    }
}
