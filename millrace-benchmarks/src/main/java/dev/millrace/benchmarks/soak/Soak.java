package dev.millrace.benchmarks.soak;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Runs random pipelines one after the other for some time. Pipeline `i` has the seed `seed + i`, so that a failing one
/// can be run again alone by its seed.
public final class Soak {
    private static final Set<String> OF_THE_PROCESS = Set.of("millrace-cleaner", "millrace-http-watch");

    /// A pipeline that takes longer than this hangs.
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final Duration THREADS_END_WITHIN = Duration.ofSeconds(10);

    /// The outcome of a run.
    ///
    /// @param failure of the pipeline with `failedSeed`, or null
    public record Result(long pipelines, long faults, long rows, long spilledBlocks, long failedSeed, String failure) {
        public boolean isGood() {
            return failure == null;
        }

        @Override
        public String toString() {
            return isGood()
                    ? String.format(
                            Locale.ROOT,
                            "%,d pipelines, %,d faults injected, %,d rows checked, %,d blocks spilled: none lost, none"
                                    + " doubled, no byte held, no thread left.",
                            pipelines,
                            faults,
                            rows,
                            spilledBlocks)
                    : "Pipeline " + (pipelines + 1) + " failed; run it again with: millrace soak --seed " + failedSeed
                            + " --pipelines 1\n" + failure;
        }
    }

    private Soak() {}

    /// Runs until the time is over or this many pipelines have run; at least one.
    public static Result run(Duration time, long pipelines, long seed) {
        long end = System.nanoTime() + time.toNanos();
        long faults = 0;
        long rows = 0;
        long spilled = 0;
        long done = 0;
        do {
            SoakPipeline pipeline = new SoakPipeline(seed + done);
            String failure = watched(pipeline);
            if (failure != null) {
                return new Result(done, faults, rows, spilled, seed + done, failure);
            }
            faults += pipeline.faults();
            rows += pipeline.rowsChecked();
            spilled += pipeline.spilledBlocks();
            done++;
        } while (done < pipelines && System.nanoTime() < end);
        return new Result(done, faults, rows, spilled, 0, null);
    }

    /// Runs it on a thread that can be abandoned; null if it succeeds.
    private static String watched(SoakPipeline pipeline) {
        Throwable[] thrown = new Throwable[1];
        Thread thread = Thread.ofPlatform().daemon().name("soak").start(() -> {
            try {
                pipeline.run();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        try {
            if (!thread.join(PATIENCE)) {
                return pipeline.text() + "\nIt has not ended after " + PATIENCE.toSeconds() + " s.\n"
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
