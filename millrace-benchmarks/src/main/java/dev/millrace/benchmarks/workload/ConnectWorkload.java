package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import java.util.ArrayList;
import java.util.List;

/// From opening a session to its first result, again and again in one process. Closing it is not counted.
public final class ConnectWorkload implements Workload {
    @Override
    public String name() {
        return "connect";
    }

    @Override
    public String sentence() {
        return "from opening a session to the result of its first task";
    }

    @Override
    public long rows() {
        return 10;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        List<Double> seconds = new ArrayList<>();
        String result = "";
        for (int i = 0; i < settings.times(); i++) {
            settings.marks().begins();
            long began = System.nanoTime();
            try (Session session = Sessions.quiet()) {
                result = String.valueOf(session.range(rows())
                        .mapBatches(batch -> batch.mapLongs("id", id -> id * 2))
                        .sum("id"));
                seconds.add((System.nanoTime() - began) / 1e9);
                settings.marks().ends();
            }
        }
        return Measurement.median(seconds, result).with("first_seconds", seconds.getFirst());
    }
}
