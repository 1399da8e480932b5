package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.count;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.relation.Join;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// Joins every line with its order, and counts by the order's priority.
public final class JoinWorkload implements Workload {
    @Override
    public String name() {
        return "join";
    }

    @Override
    public String sentence() {
        return "12 million lines joined with their 3 million orders, and counted by the order's priority";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String lines = LineItem.folder(settings);
        Path orders = Path.of(lines).resolveSibling("orders");
        if (!Files.isDirectory(orders)) {
            throw new BenchFailure("This workload reads DIR/tpch/orders/*.parquet too. To make it: "
                    + "tpchgen-cli parquet -s 2 --tables=orders --parts=4 --output-dir=DIR/tpch");
        }
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> join(session, lines, orders.toString()))
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    /// The counts in the format of the peers' scripts.
    private static String join(Session session, String lines, String orders) {
        Dataset counts = session.readParquet(lines)
                .join(session.readParquet(orders), Join.inner().on("l_orderkey", "o_orderkey"))
                .groupBy("o_orderpriority")
                .aggregate(count().as("n"))
                .sort("o_orderpriority");
        return counts.takeAll().stream().map(JoinWorkload::pair).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String pair(Row row) {
        return "('" + row.getString("o_orderpriority") + "', " + row.getLong("n") + ")";
    }
}
