package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.internal.sink.Trees;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/// Four columns of every row in an order by chance.
public final class ShuffleWorkload implements Workload {
    @Override
    public String name() {
        return "shuffle";
    }

    @Override
    public String sentence() {
        return "12 million rows of Parquet, 4 columns, shuffled and written as Parquet";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        Path out = Files.createTempDirectory("millrace-shuffle");
        try (Session session = Sessions.quiet()) {
            WriteOptions overwrite = WriteOptions.defaults().overwrite();
            return Measurement.repeat(
                            settings.times(),
                            () -> session.readParquet(folder)
                                    .select(LineItem.FOUR)
                                    .randomShuffle(7)
                                    .writeParquet(out.toString(), overwrite)
                                    .rows())
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        } finally {
            Trees.delete(out);
        }
    }
}
