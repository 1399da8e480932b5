package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.settings.ProgressSettings;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many calls of a function run at once by what each of them takes of the session: 2 CPUs, 1 GPU, 8,000 bytes and
/// three licences.
class FunctionResourcesTest {
    private static final long SECONDS = 20;

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .runtime(new EmbeddedRuntime(new Resources(2, 1, 8_000, Map.of("licence", 3.0))))
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    /// Lets nobody go before so many calls are there, and counts the most that ever were.
    private static final class Gathering implements BatchFunction {
        private final CountDownLatch there;
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        Gathering(int together) {
            there = new CountDownLatch(together);
        }

        @Override
        public Batch apply(Batch batch) throws InterruptedException {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            there.countDown();
            assertThat(there.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            now.decrementAndGet();
            return batch;
        }
    }

    private void assertAtOnce(int expected, Compute compute) {
        Gathering calls = new Gathering(expected);
        try (MaterializedDataset rows = session.range(32, 32).materialize()) {
            assertThat(rows.mapBatches(calls, compute).takeAll()).hasSize(32);
        }
        assertThat(calls.most).as(compute.toString()).hasValue(expected);
    }

    @Test
    void callsTakeTheCpusThatTheySay() {
        assertAtOnce(2, Compute.tasks());
        assertAtOnce(1, Compute.tasks().cpus(2));
        assertAtOnce(8, Compute.tasks().cpus(0.25));
    }

    @Test
    void noMoreTasksRunThanAreAllowed() {
        assertAtOnce(1, Compute.tasks(1));
        assertAtOnce(5, Compute.tasks(5).cpus(0.1));
    }

    @Test
    void noMoreTasksRunThanThereIsMemoryFor() {
        assertAtOnce(2, Compute.tasks().cpus(0.1).memory(4_000));
    }

    @Test
    void noMoreTasksRunThanThereIsOfAResourceOfOnesOwn() {
        assertAtOnce(3, Compute.tasks().cpus(0.1).resource("licence", 1));
    }

    /// The model waits in its first call until another batch has been prepared behind its back.
    @Test
    void preparationGoesOnWhileTheModelOnTheGpuComputes() {
        CountDownLatch prepared = new CountDownLatch(3);
        BatchFunction prepare = batch -> {
            prepared.countDown();
            return batch;
        };
        BatchFunction model = batch -> {
            assertThat(prepared.await(SECONDS, TimeUnit.SECONDS)).isTrue();
            return batch;
        };
        Dataset rows = session.range(32, 16)
                .mapBatches(prepare, Compute.tasks())
                .mapBatches(() -> model, Compute.actors(1).gpus(1).batchSize(2));
        assertThat(rows.takeAll()).hasSize(32);
        assertThat(rows.explain()).contains("1 actor").contains("1 GPU");
    }
}
