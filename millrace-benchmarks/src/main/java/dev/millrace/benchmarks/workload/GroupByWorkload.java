package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.sum;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// Rows into few groups with several aggregates, or into many with one.
///
/// @param isHigh 3 million groups instead of 20 thousand
public record GroupByWorkload(boolean isHigh) implements Workload {
    @Override
    public String name() {
        return isHigh ? "groupby-high" : "groupby";
    }

    @Override
    public String sentence() {
        return isHigh
                ? "12 million rows of Parquet into 3 million groups, one sum each"
                : "12 million rows of Parquet into 20 thousand groups, with sum, mean and count";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings.times(), () -> group(session.readParquet(folder)))
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    private String group(Dataset rows) {
        Dataset groups = isHigh
                ? rows.groupBy("l_orderkey").aggregate(sum("l_quantity").as("q"))
                : rows.groupBy("l_suppkey")
                        .aggregate(
                                sum("l_quantity").as("q"),
                                mean("l_extendedprice").as("p"),
                                count().as("n"));
        Row total = isHigh
                ? groups.aggregate(count(), sum("q")).takeAll().getFirst()
                : groups.aggregate(count(), sum("q"), sum("n")).takeAll().getFirst();
        return total.get("count()") + " / " + total.get("sum(q)") + (isHigh ? "" : " / " + total.get("sum(n)"));
    }
}
