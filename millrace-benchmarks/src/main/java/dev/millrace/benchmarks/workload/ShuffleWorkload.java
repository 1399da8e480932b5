package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// Four columns of every row in random order.
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
        return LineItem.rewritten(settings, table -> table.select(LineItem.FOUR).randomShuffle(7));
    }
}
