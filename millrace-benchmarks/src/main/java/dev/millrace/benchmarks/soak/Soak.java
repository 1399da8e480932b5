package dev.millrace.benchmarks.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs random pipelines one after the other for some time. Pipeline `i` has the seed `seed + i`, so that a failing one
/// can be run again alone by its seed.
public final class Soak {
    private static final Set<String> OF_THE_PROCESS =
            Set.of("millrace-cleaner", "millrace-http-watch", "millrace-heartbeat");

    /// The engine ends a run if a task loses three workers one after the other: it cannot know that the task is
    /// innocent.
    private static final String THREE_LOST = "3 workers were lost, one after the other";

    /// A pipeline that takes longer than this hangs.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration THREADS_END_WITHIN = Duration.ofSeconds(10);

    /// The outcome of a run.
    ///
    /// @param faults those injected; on workers the kills and freezes, and failures of functions
    /// @param unlucky pipelines that were ended since a task had lost three workers; they count as done
    /// @param failure of the pipeline with `failedSeed`, or null
    /// @param onWorkers whether the tasks ran in worker processes
    public record Result(
            long pipelines,
            long faults,
            long rows,
            long spilledBlocks,
            long unlucky,
            long failedSeed,
            @Nullable String failure,
            boolean onWorkers) {
        public boolean isGood() {
            return failure == null;
        }

        @Override
        public String toString() {
            return isGood()
                    ? String.format(
                            Locale.ROOT,
                            "%,d pipelines, %,d faults injected, %,d rows checked, %,d blocks spilled: none lost, none"
                                    + " doubled, no byte held, no thread left.%s",
                            pipelines,
                            faults,
                            rows,
                            spilledBlocks,
                            unlucky == 0 ? "" : " " + unlucky + " ended since a task had lost three workers.")
                    : "Pipeline " + (pipelines + 1) + " failed; run it again with: millrace soak --seed " + failedSeed
                            + " --pipelines 1" + (onWorkers ? " --cluster" : "") + "\n" + failure;
        }
    }

    private Soak() {}

    /// Runs until the time is over or this many pipelines have run; at least one.
    public static Result run(Duration time, long pipelines, long seed) {
        return run(time, pipelines, seed, null);
    }

    /// The same on three worker processes, of which one is killed or frozen every few seconds.
    ///
    /// @param every the mean time between two of these; null: one for each pipeline, as it begins
    public static Result runOnWorkers(Duration time, long pipelines, long seed, @Nullable Duration every)
            throws IOException, InterruptedException {
        try (SoakWorkers workers = new SoakWorkers(seed, every)) {
            return run(time, pipelines, seed, workers);
        }
    }

    private static Result run(Duration time, long pipelines, long seed, @Nullable SoakWorkers workers) {
        long end = System.nanoTime() + time.toNanos();
        long faults = 0;
        long rows = 0;
        long spilled = 0;
        long unlucky = 0;
        long done = 0;
        do {
            SoakPipeline pipeline = new SoakPipeline(seed + done, workers);
            String failure = watched(pipeline, workers == null ? PATIENCE : PATIENCE.multipliedBy(2));
            boolean ended = workers != null && failure != null && failure.contains(THREE_LOST);
            if (workers != null && (failure == null || ended)) {
                failure = workers.complaint();
            }
            unlucky += ended ? 1 : 0;
            if (failure != null) {
                return new Result(
                        done, faults + killed(workers), rows, spilled, unlucky, seed + done, failure, workers != null);
            }
            faults += pipeline.faults();
            rows += pipeline.rowsChecked();
            spilled += pipeline.spilledBlocks();
            done++;
        } while (done < pipelines && System.nanoTime() < end);
        return new Result(done, faults + killed(workers), rows, spilled, unlucky, 0, null, workers != null);
    }

    private static long killed(@Nullable SoakWorkers workers) {
        return workers == null ? 0 : workers.kills() + workers.freezes();
    }

    /// Runs it on a thread that can be abandoned; null if it succeeds.
    private static @Nullable String watched(SoakPipeline pipeline, Duration patience) {
        @Nullable Throwable[] thrown = new @Nullable Throwable[1];
        Thread thread = Thread.ofPlatform().daemon().name("soak").start(() -> {
            try {
                pipeline.run();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        try {
            if (!thread.join(patience)) {
                return pipeline.text() + "\nIt has not ended after " + patience.toSeconds() + " s.\n"
                        + pipeline.running() + "\n" + stacks();
            }
            if (thrown[0] == null && !threadsEnd()) {
                return pipeline.text() + "\nThreads were left after the session was closed.\n" + stacks();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pipeline.text() + "\nThe soak was interrupted.";
        }
        return thrown[0] == null ? null : pipeline.text() + "\n" + trace(thrown[0]);
    }

    /// Threads of a closed session may take a moment to end.
    private static boolean threadsEnd() throws InterruptedException {
        long until = System.nanoTime() + THREADS_END_WITHIN.toNanos();
        while (!ours().isEmpty()) {
            if (System.nanoTime() > until) {
                return false;
            }
            Thread.sleep(10);
        }
        return true;
    }

    /// The threads of sessions, without those that exist once per process.
    private static List<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("millrace"))
                .filter(thread -> !OF_THE_PROCESS.contains(thread.getName()))
                .toList();
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            if (entry.getKey().getName().startsWith("millrace")
                    || entry.getKey().getName().equals("soak")) {
                text.append(entry.getKey().getName()).append('\n');
                for (StackTraceElement frame : entry.getValue()) {
                    text.append("    at ").append(frame).append('\n');
                }
            }
        }
        return text.toString();
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
