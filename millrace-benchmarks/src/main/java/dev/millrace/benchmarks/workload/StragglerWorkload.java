package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.compute.Compute;
import java.util.Optional;

/// Equal tasks on a cluster (`--cluster local:3`) of which one worker runs for a twentieth of the time only. Calls of
/// actors are not run a second time, so they show what the slow worker costs otherwise. In one process nothing is slow.
///
/// @param actors whether actors do the work
public record StragglerWorkload(boolean actors) implements Workload {
    private static final int TASKS = 24;
    private static final int WORKERS = 3;

    /// About a third of a second for each task.
    private static final long TURNS = 300_000_000;

    @Override
    public String name() {
        return actors ? "straggler-actors" : "straggler";
    }

    @Override
    public String sentence() {
        return "24 tasks of a third of a second, one worker of a cluster slowed down to a twentieth"
                + (actors ? "; in actors, whose calls are not run a second time" : "");
    }

    @Override
    public long rows() {
        return TURNS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long turns = settings.scaled(TURNS);
        Compute compute = (actors ? Compute.actors(WORKERS) : Compute.tasks()).batchSize(0);
        try (Session session = Sessions.quiet()) {
            // All classes are loaded before anything is slow.
            run(session, Math.max(1, turns / 100), compute);
            Optional<SlowedWorker> slowed = SlowedWorker.any();
            try {
                return Measurement.repeat(settings, () -> run(session, turns, compute));
            } finally {
                if (slowed.isPresent()) {
                    slowed.get().close();
                }
            }
        }
    }

    private Object run(Session session, long turns, Compute compute) {
        var numbers = session.range(TASKS, TASKS);
        return (actors
                        ? numbers.mapBatches(() -> batch -> busy(batch, turns), compute)
                        : numbers.mapBatches(batch -> busy(batch, turns), compute))
                .count();
    }

    private static Batch busy(Batch batch, long turns) {
        long mixed = 1;
        for (long i = 0; i < turns; i++) {
            mixed ^= mixed << 13;
            mixed ^= mixed >>> 7;
            mixed ^= mixed << 17;
        }
        long result = mixed;
        return batch.mapLongs("id", id -> id ^ result);
    }
}
