package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Late and reordered events still keep the contract; the other faults do what they say.
class FaultyRuntimeTest extends RuntimeContract {
    @Override
    protected Runtime open(Allocator account) {
        return new FaultyRuntime(
                new EmbeddedRuntime(Resources.cpus(2)), Faults.NONE.withSeed(7).withDelays(2000));
    }

    private FaultyRuntime become(Faults faults) {
        runtime.close();
        FaultyRuntime faulty = new FaultyRuntime(new EmbeddedRuntime(Resources.cpus(2)), faults);
        runtime = faulty;
        return faulty;
    }

    @Test
    void blocksComeRowByRowWithinTheirCredit() throws Exception {
        become(Faults.NONE.withRowsPerBlock(1));
        long task = submit(2, context -> {
            context.emit(TaskBlocks.range(context.allocator(), 0, 3));
            context.emit(TaskBlocks.range(context.allocator(), 3, 2));
        });
        recorder.await(task, TaskEvent.Paused.class, 1);
        Thread.sleep(20);
        assertThat(recorder.blocks(task)).hasSize(2);
        assertThat(recorder.blocks(task))
                .allMatch(ready -> ready.block().metadata().rows() == 1);
        runtime.grant(task, 2);
        recorder.await(task, TaskEvent.Paused.class, 2);
        assertThat(recorder.blocks(task)).hasSize(4);
        runtime.grant(task, 1);
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(task)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aCutBlockIsAnInput() {
        become(Faults.NONE.withRowsPerBlock(2));
        long first = submit(9, context -> context.emit(TaskBlocks.range(context.allocator(), 0, 5)));
        recorder.awaitEnd(first);
        List<BlockSlice> parts = recorder.blocks(first).stream()
                .map(r -> BlockSlice.whole(r.block()))
                .toList();
        assertThat(parts).hasSize(3);
        BlockSlice last = parts.get(1).slice(1, 1);
        long second = submit(9, List.of(parts.get(1), last), context -> {
            context.emit(context.input(0));
            context.emit(context.input(1));
        });
        recorder.awaitEnd(second);
        parts.forEach(BlockSlice::release);
        last.release();
        assertThat(take(second)).containsExactly(2L, 3L, 3L);
    }

    @Test
    void cancelDropsThePartsThatWait() {
        become(Faults.NONE.withRowsPerBlock(1));
        long task = submit(1, context -> context.emit(TaskBlocks.range(context.allocator(), 0, 1000)));
        recorder.await(task, TaskEvent.Paused.class, 1);
        runtime.cancel(task);
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Failed.class);
        assertThat(take(task)).hasSize(1);
    }

    @Test
    void everyThirdTaskLosesItsWorkerBeforeBetweenOrAfterItsBlocks() {
        FaultyRuntime faulty = become(Faults.NONE.withSeed(1).withLostTasks(3));
        List<Integer> blocksOfLost = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            long task = submit(5, counting(2));
            TaskEvent end = recorder.awaitEnd(task);
            int blocks = take(task).size();
            if (i % 3 == 1) {
                assertThat(failed(end).workerLost()).isTrue();
                blocksOfLost.add(blocks);
            } else {
                assertThat(end).isInstanceOf(TaskEvent.Finished.class);
                assertThat(blocks).isEqualTo(2);
            }
        }
        assertThat(blocksOfLost).containsExactly(0, 1, 2);
        assertThat(faulty.lostTasks()).isEqualTo(3);
    }

    private record Idle() implements ActorProgram {
        @Override
        public Object start(ActorContext context) {
            return "state";
        }

        @Override
        public void stop(Object state) {}
    }

    @Test
    void anActorDiesWithItsCalls() {
        FaultyRuntime faulty = become(Faults.NONE.withKilledActors(3));
        ActorRef actor = runtime.startActor(new ActorSpec(1, "model", new Idle(), Resources.NONE, 2), recorder);
        recorder.awaitActor(1, TaskEvent.ActorReady.class);
        for (long id = 101; id <= 104; id++) {
            TaskSpec call = new TaskSpec(
                    id,
                    "model",
                    context -> Thread.sleep(3_600_000),
                    actor,
                    List.of(),
                    1,
                    Resources.NONE,
                    driver,
                    false);
            runtime.submit(call, recorder);
        }
        for (long id = 101; id <= 104; id++) {
            assertThat(failed(recorder.awaitEnd(id)).workerLost()).isTrue();
        }
        TaskEvent.ActorFailed failed = (TaskEvent.ActorFailed) recorder.awaitActor(1, TaskEvent.ActorFailed.class);
        assertThat(failed.workerLost()).isTrue();
        assertThat(faulty.killedActors()).isEqualTo(1);
        runtime.stopActor(actor);
    }
}
