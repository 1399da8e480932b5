package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.compute.Compute;
import dev.millrace.stats.OperatorStats;

/// The cost of a task that does almost nothing. Adjacent operators request different resources, so that they cannot be
/// fused into one task.
public final class SchedulingWorkload implements Workload {
    private static final int OPERATORS = 20;
    private static final int BLOCKS = 10_000;

    @Override
    public String name() {
        return "scheduling";
    }

    @Override
    public String sentence() {
        return "10,000 blocks of one row through a chain of 20 operators that do not fuse";
    }

    @Override
    public long rows() {
        return BLOCKS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        int blocks = Math.toIntExact(settings.scaled(BLOCKS));
        long[] tasks = {0};
        try (Session session = Sessions.quiet()) {
            Measurement measured = Measurement.repeat(settings, () -> {
                Dataset chain = session.range(blocks, blocks);
                for (int i = 0; i < OPERATORS; i++) {
                    chain = chain.mapBatches(batch -> batch, Compute.tasks().cpus(i % 2 == 0 ? 0.5 : 1));
                }
                Object sum = chain.sum("id");
                tasks[0] = chain.lastRun().orElseThrow().operators().stream()
                        .mapToLong(OperatorStats::tasksFinished)
                        .sum();
                return sum;
            });
            return measured.with("tasks", (double) tasks[0])
                    .with("microseconds_per_task", measured.seconds() * 1e6 / tasks[0]);
        }
    }
}
