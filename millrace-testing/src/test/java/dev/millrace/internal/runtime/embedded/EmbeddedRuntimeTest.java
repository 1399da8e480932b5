package dev.millrace.internal.runtime.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.testing.RuntimeContract;
import dev.millrace.testing.TaskBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EmbeddedRuntimeTest extends RuntimeContract {
    @Override
    protected Runtime open(Allocator account) {
        return new EmbeddedRuntime(Resources.cpus(2));
    }

    @Test
    void blocksAreNotCopied() {
        Block block = TaskBlocks.range(driver, 0, 1000);
        long before = driver.heldBytes();
        BlockRef ref = runtime.put(block);
        try (Block whole = runtime.get(BlockSlice.whole(ref));
                Block part = runtime.get(new BlockSlice(ref, 10, 5))) {
            assertThat(driver.heldBytes()).isEqualTo(before);
            assertThat(part.rows()).isEqualTo(5);
            assertThat(whole.rows()).isEqualTo(1000);
        }
        ref.release();
    }

    @Test
    void theMemoryOfATaskCountsOnItsAccount() {
        long task = submit(1, context -> context.emit(TaskBlocks.range(context.allocator(), 0, 1000)));
        recorder.awaitEnd(task);
        assertThat(driver.heldBytes()).isGreaterThanOrEqualTo(8000);
        take(task);
    }

    @Test
    void workersAreNamedDaemonsThatTellTheirOperator() throws Exception {
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        CompletableFuture<String> name = new CompletableFuture<>();
        long task = submit(1, context -> {
            name.complete(Thread.currentThread().getName());
            worker.complete(Thread.currentThread());
        });
        recorder.awaitEnd(task);
        assertThat(name.get()).startsWith("millrace-worker-").endsWith(" test");
        assertThat(worker.get().isDaemon()).isTrue();
        runtime.close();
        assertThat(worker.get().isAlive()).isFalse();
    }

    @Test
    void tasksOneAfterTheOtherShareThreads() {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 200; i++) {
            recorder.awaitEnd(submit(1, context -> used.add(Thread.currentThread())));
        }
        // More than one: a task may come before the last thread is idle again.
        assertThat(used).hasSizeLessThan(20);
    }

    @Test
    void closeFreesWhatIsLeftInTheStore() {
        BlockSlice forgotten = put(0, 100);
        runtime.close();
        assertThat(driver.heldBytes()).isZero();
        forgotten.release();
    }

    @Test
    void closeCancelsWhatStillRuns() {
        long task = submit(1, context -> Thread.sleep(3_600_000));
        runtime.close();
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Failed.class);
    }

    @Test
    void aClosedRuntimeTakesNoWork() {
        runtime.close();
        assertThatThrownBy(() -> submit(1, context -> {})).hasMessageContaining("closed");
    }

    /// An actor before its thread has begun, whose start takes an hour.
    private static EmbeddedActor slowActor(
            AtomicInteger starts, List<TaskEvent> events, WorkerPool pool, Runnable onEnd) {
        ActorProgram program = new ActorProgram() {
            @Override
            public Object start(ActorContext context) throws Exception {
                starts.incrementAndGet();
                Thread.sleep(3_600_000);
                return "state";
            }

            @Override
            public void stop(Object state) {}
        };
        return new EmbeddedActor(
                new ActorSpec(1, "test", program, Resources.cpus(1), 1), List.of(), events::add, pool, onEnd);
    }

    @Test
    void aStartThatBeginsAfterTheRuntimeWasClosedIsInterruptedToo() {
        AtomicInteger starts = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        List<TaskEvent> events = new ArrayList<>();
        try (WorkerPool pool = new WorkerPool()) {
            EmbeddedActor actor = slowActor(starts, events, pool, ends::incrementAndGet);

            actor.interruptStart();
            actor.run();
        }

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskEvent.ActorFailed.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(InterruptedException.class));
        assertThat(starts).hasValue(1);
        assertThat(ends).hasValue(1);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anActorThatWasStoppedBeforeItBeganDoesNotStart() {
        AtomicInteger starts = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        List<TaskEvent> events = new ArrayList<>();
        try (WorkerPool pool = new WorkerPool()) {
            EmbeddedActor actor = slowActor(starts, events, pool, ends::incrementAndGet);

            actor.stop();
            actor.run();
        }

        assertThat(starts).hasValue(0);
        assertThat(ends).hasValue(1);
        assertThat(events).isEmpty();
    }
}
