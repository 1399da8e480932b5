package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// The cost of a row: one function creates a row from a number and a string, another reads it.
public final class RowsWorkload implements Workload {
    @Override
    public String name() {
        return "rows";
    }

    @Override
    public String sentence() {
        return "2 million rows through a map and a filter of Row lambdas, counted";
    }

    @Override
    public long rows() {
        return 2_000_000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.range(rows)
                                    .map(row ->
                                            Row.of("id", row.getLong("id") * 2, "s", Long.toString(row.getLong("id"))))
                                    .filter(row -> row.getLong("id") % 3 == 0)
                                    .count())
                    .perSecond("rows_per_second", rows);
        }
    }
}
