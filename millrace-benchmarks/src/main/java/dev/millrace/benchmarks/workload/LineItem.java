package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import java.nio.file.Files;
import java.nio.file.Path;

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
}
