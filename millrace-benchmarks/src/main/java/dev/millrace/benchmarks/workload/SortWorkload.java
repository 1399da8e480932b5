package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

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
        return LineItem.rewritten(settings, table -> table.select(LineItem.FOUR).sort("l_extendedprice"));
    }
}
