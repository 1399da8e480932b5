package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// The cost of a value in a batch: all work is a loop over longs.
public final class RangeWorkload implements Workload {
    @Override
    public String name() {
        return "range";
    }

    @Override
    public String sentence() {
        return "100 million numbers through two batch functions (double, keep every third), summed";
    }

    @Override
    public long rows() {
        return 100_000_000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.range(rows)
                                    .mapBatches(batch -> batch.mapLongs("id", id -> id * 2))
                                    .mapBatches(batch -> batch.filterLongs("id", id -> id % 3 == 0))
                                    .sum("id"))
                    .perSecond("rows_per_second", rows);
        }
    }
}
