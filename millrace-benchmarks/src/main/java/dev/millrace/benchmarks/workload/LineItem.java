package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.sink.WriteOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/// The table `lineitem` of TPC-H at scale 2, as Parquet files below `--data`.
final class LineItem {
    static final long ROWS = 11_997_996;
    static final String[] FOUR = {"l_orderkey", "l_extendedprice", "l_discount", "l_shipdate"};

    private LineItem() {}

    static String folder(BenchSettings settings) throws BenchFailure {
        Path folder = settings.data() == null ? null : settings.data().resolve("tpch/lineitem");
        if (folder == null || !Files.isDirectory(folder)) {
            throw new BenchFailure("This workload reads DIR/tpch/lineitem/*.parquet: give --data DIR. To make it: "
                    + "tpchgen-cli parquet -s 2 --tables=lineitem --parts=8 --output-dir=DIR/tpch");
        }
        return folder.toString();
    }

    /// Reads the table, transforms it and writes the result as Parquet, which is deleted at the end.
    static Measurement rewritten(BenchSettings settings, UnaryOperator<Dataset> pipeline) throws Exception {
        String folder = folder(settings);
        Path out = Files.createTempDirectory("millrace-bench");
        try (Session session = Sessions.quiet()) {
            WriteOptions overwrite = WriteOptions.defaults().overwrite();
            return Measurement.repeat(
                            settings,
                            () -> pipeline.apply(session.readParquet(folder))
                                    .writeParquet(out.toString(), overwrite)
                                    .rows())
                    .perSecond("rows_per_second", ROWS)
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        } finally {
            FolderTrees.delete(out);
        }
    }
}
