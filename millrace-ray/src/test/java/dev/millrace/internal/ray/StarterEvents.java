package dev.millrace.internal.ray;

import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Records what a starter tells, and waits for it.
final class StarterEvents implements WorkerStarter.Listener {
    private static final long LIMIT_NANOS = 90_000_000_000L;

    private final List<WorkerAddress> workers = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    @Override
    public synchronized void joined(WorkerAddress worker) {
        workers.add(worker);
        texts.add("joined " + worker);
        notifyAll();
    }

    @Override
    public synchronized void left(WorkerAddress worker, String why) {
        workers.remove(worker);
        texts.add("left " + worker + ": " + why);
        notifyAll();
    }

    @Override
    public synchronized void failed(String why) {
        texts.add("failed " + why);
        notifyAll();
    }

    /// The workers that are there, as soon as they are so many.
    synchronized List<WorkerAddress> awaitWorkers(int count) throws InterruptedException {
        await(() -> workers.size() == count, count + " workers");
        return List.copyOf(workers);
    }

    /// The first text that fits.
    synchronized String awaitText(Predicate<String> fits) throws InterruptedException {
        await(() -> texts.stream().anyMatch(fits), "a text");
        return texts.stream().filter(fits).findFirst().orElseThrow();
    }

    private void await(BooleanSupplier reached, String what) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!reached.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("Waited for " + what + ", and heard " + texts);
            }
            wait(left / 1_000_000 + 1);
        }
    }
}
