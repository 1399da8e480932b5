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

/// Groups rows into few groups with several aggregates, or into many with one.
///
/// @param kind the group keys and the columns that are used
public record GroupByWorkload(Kind kind) implements Workload {
    /// The kind of grouping.
    public enum Kind {
        /// The mean is requested but never used: an engine need not compute it.
        FEW("groupby", "12 million rows of Parquet into 20 thousand groups, sum, count and a mean that nobody uses"),
        MEANS("groupby-mean", "12 million rows of Parquet into 20 thousand groups, with sum, mean and count, all used"),
        MANY("groupby-high", "12 million rows of Parquet into 3 million groups, one sum each");

        private final String label;
        private final String sentence;

        Kind(String label, String sentence) {
            this.label = label;
            this.sentence = sentence;
        }
    }

    @Override
    public String name() {
        return kind.label;
    }

    @Override
    public String sentence() {
        return kind.sentence;
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> group(session.readParquet(folder)))
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    private String group(Dataset rows) {
        if (kind == Kind.MANY) {
            Row total = rows.groupBy("l_orderkey")
                    .aggregate(sum("l_quantity").as("q"))
                    .aggregate(count(), sum("q"))
                    .takeAll()
                    .getFirst();
            return total.get("count()") + " / " + total.get("sum(q)");
        }
        Dataset groups = rows.groupBy("l_suppkey")
                .aggregate(sum("l_quantity").as("q"), mean("l_extendedprice").as("p"), count().as("n"));
        if (kind == Kind.FEW) {
            Row total = groups.aggregate(count(), sum("q"), sum("n")).takeAll().getFirst();
            return total.get("count()") + " / " + total.get("sum(q)") + " / " + total.get("sum(n)");
        }
        Row total = groups.aggregate(count(), sum("q"), sum("p"), sum("n"))
                .takeAll()
                .getFirst();
        return total.get("count()") + " / " + total.get("sum(q)") + " / " + Math.round(total.getDouble("sum(p)"))
                + " / " + total.get("sum(n)");
    }
}
