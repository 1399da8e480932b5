package dev.millrace.models.tuning;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.internal.stats.HumanUnits;
import dev.millrace.memory.Allocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Measures one candidate: creates the function once per actor, each on a thread of its own, and calls them with
/// batches of the sample until the rate is stable.
///
/// @param cpus shared by the actors, at least one each
/// @param memory the number of bytes by which the process may grow
/// @param budget the time for one candidate; calls in progress are finished
record TuningTrial(Factory<? extends BatchFunction> factory, Batch sample, int cpus, long memory, Duration budget) {
    private static final double ROUND_SECONDS = 0.25;

    /// @throws MillraceException for a fault of the function or the sample, not of the size
    TuningPoint run(TuningSearch.Candidate candidate) throws InterruptedException {
        int threads = Math.max(1, cpus / candidate.actors());
        List<BatchFunction> made = new ArrayList<>();
        ExecutorService actors = Executors.newFixedThreadPool(
                candidate.actors(),
                Thread.ofPlatform().daemon().name("millrace-tune-", 0).factory());
        try (Allocator account = Allocator.root("tuning", Long.MAX_VALUE);
                ProcessGrowth growth = new ProcessGrowth()) {
            String failure;
            MeasurementRounds rounds = new MeasurementRounds();
            try (Block batch = batch(candidate.batchSize(), account)) {
                failure = measure(candidate, threads, made, actors, batch, account, growth, rounds);
            } finally {
                made.forEach(TuningTrial::close);
            }
            return new TuningPoint(
                    candidate.batchSize(),
                    candidate.actors(),
                    threads,
                    failure == null ? rounds.best() : 0,
                    taken(growth, account),
                    failure);
        } finally {
            actors.shutdown();
        }
    }

    /// Why the candidate does not work, or null.
    private @Nullable String measure(
            TuningSearch.Candidate candidate,
            int threads,
            List<BatchFunction> made,
            ExecutorService actors,
            Block batch,
            Allocator account,
            ProcessGrowth growth,
            MeasurementRounds rounds)
            throws InterruptedException {
        long deadline = System.nanoTime() + budget.toNanos();
        try {
            ActorContext context = new ActorContext("tune", Resources.cpus(threads), List.of());
            for (int i = 0; i < candidate.actors(); i++) {
                made.add(context.call(factory::create));
            }
            double warm = all(actors, made, batch, account, 1);
            int calls = (int) Math.max(1, Math.ceil(ROUND_SECONDS / Math.max(1e-6, warm)));
            do {
                if (taken(growth, account) > memory) {
                    return overLimit(taken(growth, account));
                }
                double seconds = all(actors, made, batch, account, calls);
                rounds.add((double) calls * candidate.actors() * candidate.batchSize() / seconds);
            } while (!rounds.isStable() && System.nanoTime() < deadline);
            long taken = taken(growth, account);
            return taken > memory ? overLimit(taken) : null;
        } catch (Exception e) {
            return outOfMemory(e);
        }
    }

    /// At least the known size of the batches, because the process may reuse memory for them and not grow.
    private static long taken(ProcessGrowth growth, Allocator account) {
        return Math.max(growth.bytes(), account.peakBytes());
    }

    private String overLimit(long taken) {
        return "takes " + HumanUnits.bytes((double) taken) + ", over the limit of " + HumanUnits.bytes((double) memory);
    }

    /// The seconds that this number of calls per function takes.
    private static double all(
            ExecutorService actors, List<BatchFunction> functions, Block batch, Allocator account, int calls)
            throws Exception {
        List<Callable<Void>> work = new ArrayList<>();
        for (BatchFunction function : functions) {
            work.add(() -> {
                for (int i = 0; i < calls; i++) {
                    try (BatchScope scope = new BatchScope("tune", account)) {
                        function.apply(scope.adopt(batch.retain()));
                    }
                }
                return null;
            });
        }
        long began = System.nanoTime();
        Throwable failure = null;
        for (Future<Void> done : actors.invokeAll(work)) {
            try {
                done.get();
            } catch (ExecutionException e) {
                failure = e.getCause();
            }
        }
        if (failure instanceof Error error && !(error instanceof OutOfMemoryError)) {
            throw error;
        }
        if (failure != null) {
            throw failure instanceof Exception e
                    ? e
                    : new MillraceException(Culprit.RESOURCES, String.valueOf(failure.getMessage()), failure);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    /// A batch of the sample's rows, repeated as needed.
    private Block batch(int rows, Allocator account) {
        int[] positions = new int[rows];
        for (int i = 0; i < rows; i++) {
            positions[i] = (int) (i % sample.rows());
        }
        try (BatchScope scope = new BatchScope("tune", account)) {
            return scope.toBlock(sample.take(positions));
        }
    }

    /// A failure for lack of memory is returned as a message, any other is thrown.
    private static String outOfMemory(Exception e) throws InterruptedException {
        if (e instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        if (e instanceof MillraceException known) {
            if (known.culprit() == Culprit.RESOURCES) {
                return known.getMessage();
            }
            throw known;
        }
        throw new MillraceException(Culprit.USER, "The function failed while it was measured: " + e, e);
    }

    private static void close(BatchFunction function) {
        if (function instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new MillraceException(Culprit.USER, "The function did not close: " + e, e);
            }
        }
    }
}
