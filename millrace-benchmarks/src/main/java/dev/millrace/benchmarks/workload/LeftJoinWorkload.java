package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.relation.Join;

/// A left join of ten thousand rows with twelve million.
public final class LeftJoinWorkload implements Workload {
    private static final long PARTS = 10_000;
    private static final long APART = 41;

    @Override
    public String name() {
        return "join-left";
    }

    @Override
    public String sentence() {
        return "10 thousand parts, a few of which nobody ordered, left joined with 12 million lines, and counted";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String lines = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> joined(session, lines))
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    private static String joined(Session session, String lines) {
        Dataset parts = session.range(PARTS).select(col("id").times(APART).as("part"));
        Row total = parts.join(session.readParquet(lines), Join.left().on("part", "l_partkey"))
                .aggregate(count(), sum("part"), sum("l_quantity"))
                .takeAll()
                .getFirst();
        return total.get("count()") + " / " + total.get("sum(part)") + " / " + total.get("sum(l_quantity)");
    }
}
