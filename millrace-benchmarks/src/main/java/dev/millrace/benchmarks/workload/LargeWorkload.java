package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.sum;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.relation.Join;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.sink.WriteOptions;
import dev.millrace.stats.SpillStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// Eight times more data than memory: TPC-H at scale 20, sorted or joined in a session of 1 GB.
public final class LargeWorkload implements Workload {
    private static final long LIMIT = 1_000_000_000;
    private static final long ROWS = 119_994_608;
    private static final String[] LINES = {
        "l_orderkey", "l_partkey", "l_suppkey", "l_quantity", "l_extendedprice", "l_discount"
    };
    private static final String[] ORDERS = {"o_orderkey", "o_custkey", "o_totalprice", "o_orderpriority"};

    private final boolean joins;

    public LargeWorkload(boolean joins) {
        this.joins = joins;
    }

    @Override
    public String name() {
        return joins ? "join-large" : "sort-large";
    }

    @Override
    public String sentence() {
        return joins
                ? "120 million lines, 6 columns, joined with 30 million orders and summed by priority, in 1 GB of memory"
                : "120 million lines, 6 columns, sorted by price and written as Parquet, in 1 GB of memory";
    }

    @Override
    public long rows() {
        return ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        Path tables = settings.data() == null ? null : settings.data().resolve("tpch");
        if (tables == null
                || !Files.isDirectory(tables.resolve("lineitem"))
                || !Files.isDirectory(tables.resolve("orders"))) {
            throw new BenchFailure(
                    "This workload reads DIR/tpch/lineitem/*.parquet and orders: give --data DIR. To make "
                            + "them: tpchgen-cli parquet -s 20 --tables=lineitem,orders --parts=20 --output-dir=DIR/tpch");
        }
        Path out = Files.createTempDirectory("millrace-bench");
        try (Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withMemory(LIMIT))
                .progress(ProgressSettings.OFF)
                .open()) {
            Measurement measured =
                    Measurement.repeat(settings, () -> joins ? join(session, tables) : sort(session, tables, out));
            SpillStats spilled = session.spillStats();
            return measured.perSecond("rows_per_second", ROWS)
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6)
                    .with("over_limit_mb", ProcessMemory.peakMb() - LIMIT / 1e6)
                    .with("spilled_mb", spilled.spilledBytes() / 1e6)
                    .with("read_back_mb", spilled.readBytes() / 1e6);
        } finally {
            FolderTrees.delete(out);
        }
    }

    private static String sort(Session session, Path tables, Path out) {
        Dataset lines = session.readParquet(tables.resolve("lineitem").toString());
        return String.valueOf(lines.select(LINES)
                .sort("l_extendedprice")
                .writeParquet(out.toString(), WriteOptions.defaults().overwrite())
                .rows());
    }

    private static String join(Session session, Path tables) {
        Dataset lines =
                session.readParquet(tables.resolve("lineitem").toString()).select(LINES);
        Dataset orders =
                session.readParquet(tables.resolve("orders").toString()).select(ORDERS);
        return lines
                .join(orders, Join.inner().on("l_orderkey", "o_orderkey"))
                .groupBy("o_orderpriority")
                .aggregate(
                        count().as("n"),
                        sum("l_partkey").as("part"),
                        sum("l_suppkey").as("supplier"),
                        sum("l_quantity").as("quantity"),
                        sum("l_extendedprice").as("price"),
                        sum("l_discount").as("discount"),
                        sum("o_custkey").as("customer"),
                        sum("o_totalprice").as("total"))
                .sort("o_orderpriority")
                .takeAll()
                .stream()
                .map(LargeWorkload::line)
                .collect(Collectors.joining(", "));
    }

    private static String line(Row row) {
        return row.columns().stream().map(name -> String.valueOf(row.get(name))).collect(Collectors.joining(" "));
    }
}
