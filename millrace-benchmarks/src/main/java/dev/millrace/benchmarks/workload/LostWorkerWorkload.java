package dev.millrace.benchmarks.workload;

import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.compute.Compute;
import java.util.ArrayList;
import java.util.List;

/// What a lost worker costs: tasks that wait a fixed time, whose blocks stay in the workers that made them, and a sum
/// over all of these. In each second run a worker is killed when half of the time of the run before has passed, so all
/// that it has done since the beginning is lost. In one process nothing is killed.
///
/// The times are those of waiting, so they depend little on what else the machine does.
public final class LostWorkerWorkload implements Workload {
    private static final int TASKS = 120;
    /// Of a block that is too large to live in the driver.
    private static final int BLOCK_ROWS = 20_000;

    private static final long TASK_MILLIS = 100;

    @Override
    public String name() {
        return "lost-worker";
    }

    @Override
    public String sentence() {
        return "120 tasks that wait 0.1 s, their blocks kept and summed; in each second run a worker of a cluster is"
                + " killed at half of the time";
    }

    @Override
    public long rows() {
        return (long) TASKS * BLOCK_ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        int tasks = Math.toIntExact(settings.scaled(TASKS));
        List<Double> seconds = new ArrayList<>();
        String result = "";
        try (Session session = Sessions.quiet()) {
            // All classes are loaded before anything is measured.
            var _ = run(session, 6);
            for (int i = 0; i < settings.times(); i++) {
                settings.marks().begins();
                long began = System.nanoTime();
                Thread killer = i % 2 == 0 ? null : killAfter(seconds.getLast() / 2);
                result = run(session, tasks);
                seconds.add((System.nanoTime() - began) / 1e9);
                settings.marks().ends();
                if (killer != null) {
                    killer.join();
                    // The worker that takes its place is there before the next run begins.
                    Thread.sleep(3000);
                }
            }
        }
        return Measurement.median(seconds, result);
    }

    private static Thread killAfter(double seconds) {
        return Thread.ofPlatform().daemon().name("kills-a-worker").start(() -> {
            try {
                Thread.sleep((long) (seconds * 1000));
                SlowedWorker.processes().findFirst().ifPresent(ProcessHandle::destroyForcibly);
            } catch (InterruptedException e) {
                // Nothing is killed.
            }
        });
    }

    private static String run(Session session, int tasks) {
        try (MaterializedDataset held = session.range((long) tasks * BLOCK_ROWS, tasks)
                .mapBatches(
                        batch -> {
                            Thread.sleep(TASK_MILLIS);
                            return batch.mapLongs("id", id -> id + 1);
                        },
                        Compute.tasks().batchSize(BLOCK_ROWS))
                .materialize()) {
            return String.valueOf(held.sum("id"));
        }
    }
}
