package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;

/// The cost of a task and of the way of its result to the program.
public final class TinyWorkload implements Workload {
    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public String sentence() {
        return "1,000 tasks of one row, taken by the program";
    }

    @Override
    public long rows() {
        return 1000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        int rows = Math.toIntExact(settings.scaled(rows()));
        try (Session session = Sessions.quiet()) {
            Measurement measured =
                    Measurement.repeat(
                            settings,
                            () -> session
                                    .range(rows, rows)
                                    .mapBatches(batch -> batch.mapLongs("id", id -> id * 2))
                                    .takeAll()
                                    .stream()
                                    .mapToLong((Row row) -> row.getLong("id"))
                                    .sum());
            return measured.with("microseconds_per_task", measured.seconds() * 1e6 / rows);
        }
    }
}
