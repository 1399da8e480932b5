package dev.millrace.benchmarks.workload;

import dev.millrace.batch.Batch;
import dev.millrace.function.BatchFunction;
import dev.millrace.models.LoadedModel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// A model whose first call waits until the models of all actors are loaded; the time starts then. One run at a time.
final class StartedModels implements BatchFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;
    private static volatile CountDownLatch loaded = new CountDownLatch(0);
    private static final AtomicLong BEGAN = new AtomicLong();
    private static final AtomicLong ENDED = new AtomicLong();

    private final transient LoadedModel model;

    StartedModels(LoadedModel model) {
        this.model = model;
        loaded.countDown();
    }

    static void expect(int actors) {
        loaded = new CountDownLatch(actors);
        BEGAN.set(Long.MAX_VALUE);
        ENDED.set(0);
    }

    /// The time from the first call to the end of the last.
    static double seconds() {
        return (ENDED.get() - BEGAN.get()) / 1e9;
    }

    @Override
    public Batch apply(Batch batch) throws InterruptedException {
        loaded.await();
        BEGAN.accumulateAndGet(System.nanoTime(), Math::min);
        Batch result = model.apply(batch);
        ENDED.accumulateAndGet(System.nanoTime(), Math::max);
        return result;
    }

    @Override
    public void close() {
        model.close();
    }
}
