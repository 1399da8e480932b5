package dev.millrace.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.FaultSettings;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.RuntimeContract;
import dev.millrace.testing.TaskBlocks;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Lost blocks are made again from their recipes; and whatever any runtime promises holds around one that loses blocks.
class RecoveringRuntimeTest extends RuntimeContract {
    private FaultyRuntime faulty;
    private RecoveringRuntime recovering;

    @Override
    protected Runtime open(Allocator account) {
        // Blocks are lost when a test says so.
        faulty = new FaultyRuntime(new EmbeddedRuntime(Resources.cpus(2)), Faults.NONE.withLostNodes(1 << 30));
        recovering = new RecoveringRuntime(faulty, account, FaultSettings.DEFAULT);
        return recovering;
    }

    @AfterEach
    void noRecipeIsLeft() {
        runtime.close();
        assertThat(recovering.recipes()).isZero();
    }

    private BlockSlice slice(long task, int block) {
        recorder.awaitEnd(task);
        return BlockSlice.whole(recorder.blocks(task).get(block).block());
    }

    private void release(long task) {
        recorder.awaitEnd(task);
        recorder.blocks(task).forEach(ready -> ready.block().release());
    }

    /// Doubles its inputs.
    private static TaskProgram doubling(AtomicInteger runs) {
        return context -> {
            runs.incrementAndGet();
            for (int i = 0; i < context.inputs(); i++) {
                try (Block input = context.input(i)) {
                    context.emit(TaskBlocks.of(
                            context.allocator(),
                            TaskBlocks.values(input).stream()
                                    .mapToLong(value -> 2 * value)
                                    .toArray()));
                }
            }
        };
    }

    @Test
    void everyMethodOfARuntimeIsPassedOn() {
        for (Method method : Runtime.class.getMethods()) {
            assertThat(Arrays.stream(RecoveringRuntime.class.getDeclaredMethods())
                            .map(Method::getName))
                    .contains(method.getName());
        }
    }

    @Test
    void allBlocksOfOneTaskAreMadeAgainByOneRunOfIt() {
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            runs.incrementAndGet();
            counting(4).run(context);
        });
        recorder.awaitEnd(task);
        faulty.loseAllNodes();
        assertThat(take(task)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(runs).hasValue(2);
        assertThat(recovering.tasksRunAgain()).isEqualTo(1);
        assertThat(recovering.blocksMadeAgain()).isEqualTo(4);
    }

    @Test
    void aTaskThatOnlyHasToMakeItsFirstBlocksAgainIsStoppedAfterThem() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            context.emit(TaskBlocks.of(context.allocator(), 7));
            if (runs.incrementAndGet() == 2) {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    stopped.countDown();
                }
            }
            context.emit(TaskBlocks.of(context.allocator(), 8));
        });
        BlockSlice second = slice(task, 1);
        second.release();
        faulty.loseAllNodes();
        assertThat(TaskBlocks.take(runtime, slice(task, 0).block())).containsExactly(7L);
        assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void inputsThatWereFreedAreMadeAgainDownToTheRead() {
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger maps = new AtomicInteger();
        long read = submit(9, context -> {
            reads.incrementAndGet();
            context.emit(TaskBlocks.range(context.allocator(), 0, 10_000));
        });
        long map = submit(9, List.of(slice(read, 0)), doubling(maps));
        recorder.awaitEnd(map);
        release(read);
        BlockSlice part = new BlockSlice(slice(map, 0).block(), 3, 2);
        long last = submit(9, List.of(part), doubling(new AtomicInteger()));
        recorder.awaitEnd(last);
        release(map);
        assertThat(driver.heldBytes()).as("recipes hold no blocks").isLessThan(10_000);
        faulty.loseAllNodes();
        assertThat(take(last)).containsExactly(12L, 16L);
        assertThat(reads).hasValue(2);
        assertThat(maps).hasValue(2);
    }

    @Test
    void whatIsStillInTheStoreIsNotMadeAgain() {
        AtomicInteger reads = new AtomicInteger();
        long read = submit(9, context -> {
            reads.incrementAndGet();
            context.emit(TaskBlocks.range(context.allocator(), 0, 10));
        });
        long map = submit(9, List.of(slice(read, 0)), doubling(new AtomicInteger()));
        recorder.awaitEnd(map);
        faulty.loseAllNodes();
        try (Block again = runtime.get(slice(read, 0))) {
            assertThat(again.rows()).isEqualTo(10);
        }
        assertThat(take(map)).hasSize(10);
        assertThat(reads).hasValue(2);
        release(read);
    }

    /// Emits the numbers below 10, at each run in blocks of another size.
    private static TaskProgram cut(int... rows) {
        AtomicInteger runs = new AtomicInteger();
        return context -> {
            int size = rows[Math.min(runs.getAndIncrement(), rows.length - 1)];
            for (int i = 0; i < 10; i += size) {
                context.emit(TaskBlocks.range(context.allocator(), i, Math.min(size, 10 - i)));
            }
        };
    }

    @Test
    void rowsAreFoundByNumberWhereverBlocksAreCut() {
        long task = submit(99, cut(4, 3, 10, 1));
        recorder.awaitEnd(task);
        for (int i = 0; i < 3; i++) {
            faulty.loseAllNodes();
            List<Long> values = new ArrayList<>();
            recorder.blocks(task).forEach(ready -> {
                try (Block block = runtime.get(BlockSlice.whole(ready.block()))) {
                    values.addAll(TaskBlocks.values(block));
                }
            });
            assertThat(values).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
        BlockSlice across = new BlockSlice(recorder.blocks(task).get(1).block(), 1, 3);
        try (Block block = runtime.get(across)) {
            assertThat(TaskBlocks.values(block)).containsExactly(5L, 6L, 7L);
        }
        release(task);
    }

    @Test
    void aTaskGetsThePiecesOfAnInputAsOneBlock() {
        long task = submit(99, cut(5, 2));
        List<BlockSlice> inputs =
                List.of(slice(task, 0), new BlockSlice(slice(task, 1).block(), 1, 4));
        faulty.loseAllNodes();
        long sums = submit(9, inputs, context -> {
            for (int i = 0; i < context.inputs(); i++) {
                try (Block block = context.input(i)) {
                    context.emit(TaskBlocks.of(context.allocator(), block.rows(), TaskBlocks.sum(block)));
                }
            }
        });
        recorder.awaitEnd(sums);
        assertThat(take(sums)).containsExactly(5L, 0L + 1 + 2 + 3 + 4, 4L, 6L + 7 + 8 + 9);
        release(task);
    }

    @Test
    void blocksOfTwoAttemptsThatAreLostWithoutAWordAreBothMissed() {
        for (long id = 501; id <= 502; id++) {
            runtime.submit(
                    new TaskSpec(
                            id,
                            501,
                            "test",
                            context -> context.emit(TaskBlocks.of(context.allocator(), 7)),
                            null,
                            List.of(),
                            9,
                            Resources.NONE,
                            driver,
                            false,
                            null,
                            TaskSpec.Stage.NONE),
                    recorder);
            recorder.awaitEnd(id);
        }
        faulty.loseAllBlocks();
        assertThat(take(502)).containsExactly(7L);
        faulty.loseAllBlocks();
        assertThat(take(501)).containsExactly(7L);
    }

    @Test
    void aBlockWithoutRowsComesBackForItsColumns() {
        long task = submit(9, context -> context.emit(TaskBlocks.of(context.allocator())));
        BlockSlice empty = slice(task, 0);
        faulty.loseAllNodes();
        try (Block block = runtime.get(empty)) {
            assertThat(block.rows()).isZero();
            assertThat(block.schema()).isEqualTo(TaskBlocks.SCHEMA);
        }
        empty.release();
    }

    @Test
    void aTaskWhoseInputIsLostWhileItRunsFailsAndSucceedsWhenItIsSubmittedAgain() throws Exception {
        long first = submit(9, counting(2));
        List<BlockSlice> inputs = List.of(slice(first, 0), slice(first, 1));
        CountDownLatch began = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        TaskProgram program = context -> {
            if (runs.incrementAndGet() == 1) {
                began.countDown();
                new CountDownLatch(1).await();
            }
            doubling(new AtomicInteger()).run(context);
        };
        long task = submit(9, inputs, program);
        assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();
        faulty.loseAllNodes();
        TaskEvent.Failed end = failed(recorder.awaitEnd(task));
        assertThat(end.cause()).isInstanceOf(BlocksLost.class);
        assertThat(((BlocksLost) end.cause()).inputs()).containsExactly(0, 1);
        assertThat(end.workerLost()).isFalse();
        long again = submit(9, inputs, program);
        recorder.awaitEnd(again);
        assertThat(take(again)).containsExactly(0L, 2L);
        release(first);
    }

    @Test
    void manyWhoAskAtOnceGetItFromOneRun() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch asked = new CountDownLatch(1);
        long task = submit(9, context -> {
            if (runs.incrementAndGet() > 1) {
                asked.await();
            }
            counting(3).run(context);
        });
        recorder.awaitEnd(task);
        faulty.loseAllNodes();
        List<Thread> readers = new ArrayList<>();
        List<CompletableFuture<Long>> read = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            BlockSlice block = slice(task, i % 3);
            CompletableFuture<Long> value = new CompletableFuture<>();
            read.add(value);
            readers.add(Thread.startVirtualThread(() -> {
                try (Block got = runtime.get(block)) {
                    value.complete(TaskBlocks.values(got).getFirst());
                } catch (Throwable t) {
                    value.completeExceptionally(t);
                }
            }));
        }
        List<Long> tasks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            tasks.add(submit(9, List.of(slice(task, i)), doubling(new AtomicInteger())));
        }
        asked.countDown();
        for (int i = 0; i < 9; i++) {
            assertThat(read.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i % 3);
        }
        for (int i = 0; i < 3; i++) {
            recorder.awaitEnd(tasks.get(i));
            assertThat(take(tasks.get(i))).containsExactly(2L * i);
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(runs.get()).isBetween(2, 3);
        release(task);
    }

    @Test
    void cancellingTheOnlyAskerStopsTheRunAndLeavesNothing() throws Exception {
        CountDownLatch again = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        long read = submit(9, context -> {
            if (runs.incrementAndGet() == 2) {
                again.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    stopped.countDown();
                }
            }
            context.emit(TaskBlocks.range(context.allocator(), 0, 10));
        });
        long map = submit(9, List.of(slice(read, 0)), doubling(new AtomicInteger()));
        recorder.awaitEnd(map);
        release(read);
        faulty.loseAllNodes();
        long last = submit(9, List.of(slice(map, 0)), doubling(new AtomicInteger()));
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(runtime.whereabouts(last)).contains("waits until lost blocks of its input are made again");
        runtime.cancel(last);
        assertThat(failed(recorder.awaitEnd(last)).cause()).isInstanceOf(TaskCancelled.class);
        assertThat(stopped.getCount()).as("functions that still run").isZero();
        assertThat(take(map)).as("asked for again").hasSize(10);
    }

    @Test
    void aReaderThatIsInterruptedLeaves() throws Exception {
        CountDownLatch again = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            if (runs.incrementAndGet() == 2) {
                again.countDown();
                new CountDownLatch(1).await();
            }
            context.emit(TaskBlocks.of(context.allocator(), 1));
        });
        BlockSlice block = slice(task, 0);
        faulty.loseAllNodes();
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                runtime.get(block).close();
            } catch (Throwable t) {
                told.complete(t);
            }
        });
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        reader.interrupt();
        assertThat(told.get(20, TimeUnit.SECONDS))
                .hasMessage("The thread was interrupted while a lost block was being made again.");
        block.release();
    }

    @Test
    void closingTellsWhoWaits() throws Exception {
        CountDownLatch again = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            if (runs.incrementAndGet() == 2) {
                again.countDown();
                new CountDownLatch(1).await();
            }
            context.emit(TaskBlocks.of(context.allocator(), 1));
        });
        BlockSlice block = slice(task, 0);
        faulty.loseAllNodes();
        long waiting = submit(9, List.of(block), doubling(new AtomicInteger()));
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        recovering.stopRecovering();
        assertThat(failed(recorder.awaitEnd(waiting)).cause())
                .hasMessage("The session was closed while a lost block was being made again.");
        assertThatThrownBy(() -> runtime.get(block))
                .hasMessage("The session was closed while a lost block was being made again.");
        block.release();
    }

    @Test
    void releasingABlockWhileItIsMadeAgainFreesIt() throws Exception {
        CountDownLatch again = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            if (runs.incrementAndGet() == 2) {
                again.countDown();
                goOn.await();
            }
            counting(3).run(context);
        });
        BlockRef first = slice(task, 0).block();
        faulty.loseAllNodes();
        long waiting = submit(9, List.of(slice(task, 2)), doubling(new AtomicInteger()));
        assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        first.release();
        slice(task, 1).release();
        goOn.countDown();
        recorder.awaitEnd(waiting);
        slice(task, 2).release();
        assertThat(take(waiting)).containsExactly(4L);
    }

    @Test
    void anErrorOfTheSecondRunSaysThatTheBlockWasLost() {
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            if (runs.incrementAndGet() > 1) {
                throw MillraceException.user("map(f) failed on row 3.");
            }
            context.emit(TaskBlocks.of(context.allocator(), 1));
        });
        BlockSlice block = slice(task, 0);
        faulty.loseAllNodes();
        String sentence =
                "A block of test was lost with its node, and could not be made again: map(f) failed on row 3.";
        assertThatThrownBy(() -> runtime.get(block))
                .isInstanceOf(MillraceException.class)
                .hasMessage(sentence);
        long waiting = submit(9, List.of(block), doubling(new AtomicInteger()));
        assertThat(failed(recorder.awaitEnd(waiting)).cause()).hasMessage(sentence);
        block.release();
    }

    @Test
    void aSecondRunWithOtherRowsIsNotedAndNotDelivered() {
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            context.emit(TaskBlocks.range(context.allocator(), 0, runs.incrementAndGet() == 1 ? 10 : 3));
        });
        BlockSlice block = slice(task, 0);
        faulty.loseAllNodes();
        assertThatThrownBy(() -> runtime.get(block))
                .hasMessageContaining("test made 10 rows of an input, and 3 when it was run again over the same");
        block.release();
    }

    @Test
    void blocksBesideTheOutputAreDeliveredOnce() {
        AtomicInteger runs = new AtomicInteger();
        long task = submit(9, context -> {
            runs.incrementAndGet();
            context.emitAside("letters", TaskBlocks.of(context.allocator(), 99));
            context.emit(TaskBlocks.of(context.allocator(), 1));
        });
        recorder.awaitEnd(task);
        faulty.loseAllNodes();
        assertThat(take(task)).containsExactly(99L, 1L);
        assertThat(runs).hasValue(2);
    }

    @Test
    void whatTheProgramPutInIsKeptForItsRecipes() {
        BlockSlice own = put(0, 5);
        long task = submit(9, List.of(own), doubling(new AtomicInteger()));
        recorder.awaitEnd(task);
        own.release();
        assertThat(driver.heldBytes()).isPositive();
        faulty.loseAllNodes();
        assertThat(take(task)).containsExactly(0L, 2L, 4L, 6L, 8L);
    }

    // ---- actors

    private static final class Counting implements ActorProgram {
        private static final long serialVersionUID = 1L;

        final transient AtomicInteger starts = new AtomicInteger();
        final transient AtomicInteger stops = new AtomicInteger();

        @Override
        public Object start(ActorContext context) {
            return starts.incrementAndGet();
        }

        @Override
        public void stop(Object state) {
            stops.incrementAndGet();
        }
    }

    private ActorRef startActor(long id, Counting program) {
        ActorRef actor = runtime.startActor(new ActorSpec(id, "model", program, Resources.NONE, 1), recorder);
        recorder.awaitActor(id, TaskEvent.ActorReady.class);
        return actor;
    }

    private void call(long id, ActorRef actor, int credit, TaskProgram program) {
        runtime.submit(
                new TaskSpec(id, "model", program, actor, List.of(), credit, Resources.NONE, driver, false), recorder);
    }

    @Test
    void blocksOfACallAreMadeAgainInALivingActorOfItsPool() {
        Counting program = new Counting();
        ActorRef first = startActor(1, program);
        call(
                101,
                first,
                9,
                context ->
                        context.emit(TaskBlocks.of(context.allocator(), (Integer) context.actorState() > 0 ? 5 : 0)));
        recorder.awaitEnd(101);
        ActorRef second = startActor(2, program);
        runtime.stopActor(first);
        faulty.loseAllNodes();
        assertThat(take(101)).containsExactly(5L);
        assertThat(program.starts).hasValue(2);
        runtime.stopActor(second);
    }

    @Test
    void withoutALivingActorOneIsStartedForItAndStopped() {
        Counting program = new Counting();
        ActorRef actor = startActor(1, program);
        for (int i = 0; i < 5; i++) {
            long value = i;
            call(
                    101 + i,
                    actor,
                    9,
                    context -> context.emit(
                            TaskBlocks.of(context.allocator(), (Integer) context.actorState() > 0 ? value : -1)));
            recorder.awaitEnd(101 + i);
        }
        runtime.stopActor(actor);
        faulty.loseAllNodes();
        List<BlockSlice> inputs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            inputs.add(slice(101 + i, 0));
        }
        long sums = submit(9, inputs, doubling(new AtomicInteger()));
        recorder.awaitEnd(sums);
        assertThat(take(sums)).containsExactly(0L, 2L, 4L, 6L, 8L);
        inputs.forEach(BlockSlice::release);
        runtime.close();
        assertThat(program.starts.get()).as("of 1 and of the recoveries").isBetween(2, 4);
        assertThat(program.stops).hasValue(program.starts.get());
    }

    @Test
    void aCallThatIsOutOfCreditDoesNotHoldUpOneThatMakesBlocksAgain() {
        Counting program = new Counting();
        ActorRef actor = startActor(1, program);
        call(101, actor, 9, context -> context.emit(TaskBlocks.of(context.allocator(), 5)));
        recorder.awaitEnd(101);
        call(102, actor, 1, counting(4));
        recorder.await(102, TaskEvent.Paused.class, 1);
        faulty.loseAllNodes();
        // Nobody takes blocks of the second call before the first block is there again.
        assertThat(take(101)).containsExactly(5L);
        assertThat(recorder.blocks(102)).hasSize(1);
        runtime.grant(102, 1);
        recorder.await(102, TaskEvent.BlockReady.class, 2);
        runtime.grant(102, 9);
        assertThat(recorder.awaitEnd(102)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(102)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(program.starts).hasValue(1);
        runtime.stopActor(actor);
    }
}
