package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// The work of [RowsWorkload] with user-defined records.
public final class RecordsWorkload implements Workload {
    public record Id(long id) {}

    public record Doubled(long id, String s) {}

    @Override
    public String name() {
        return "rows-records";
    }

    @Override
    public String sentence() {
        return "2 million rows through a map and a filter of the user's own records, counted";
    }

    @Override
    public long rows() {
        return 2_000_000;
    }

    @Override
    public String peerName() {
        return "rows";
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(
                            settings,
                            () -> session.range(rows)
                                    .map(
                                            Id.class,
                                            Doubled.class,
                                            id -> new Doubled(id.id() * 2, Long.toString(id.id())))
                                    .filter(Doubled.class, doubled -> doubled.id() % 3 == 0)
                                    .count())
                    .perSecond("rows_per_second", rows);
        }
    }
}
