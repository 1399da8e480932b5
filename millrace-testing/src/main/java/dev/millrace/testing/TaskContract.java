package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// The guarantees of every runtime for tasks and blocks.
abstract class TaskContract extends RuntimeHarness {
    @Test
    void itHasCapacityOnNamedNodes() {
        assertThat(runtime.capacity().cpus()).isPositive();
        assertThat(runtime.nodes())
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.name()).isNotBlank())
                .allSatisfy(node -> assertThat(node.blockMemory()).isNotNegative())
                .doesNotHaveDuplicates();
        List<NodeEvent> told = new ArrayList<>();
        runtime.watchNodes(told::add);
        assertThat(told)
                .isEqualTo(runtime.nodes().stream()
                        .<NodeEvent>map(NodeEvent.Joined::new)
                        .toList());
    }

    @Test
    void aBlockIsAtANodeOrInThisProcess() {
        long task = submit(1, context -> context.emit(TaskBlocks.range(context.allocator(), 0, 100)));
        recorder.awaitEnd(task);
        BlockRef block = recorder.blocks(task).getFirst().block();
        String node = block.node();
        if (node != null) {
            assertThat(runtime.nodes()).extracting(Runtime.Node::name).contains(node);
        }
        block.release();
    }

    @Test
    void aTaskSendsItsBlocksInOrderAndThenItsEnd() {
        long task = submit(10, counting(5));
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(recorder.of(task)).hasSize(6);
        assertThat(take(task)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aTaskMayEmitNothing() {
        long task = submit(1, context -> {});
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(recorder.of(task)).hasSize(1);
    }

    @Test
    void metadataTellsRowsBytesAndSchemaOfABlock() {
        long task = submit(1, context -> context.emit(TaskBlocks.range(context.allocator(), 0, 100)));
        recorder.awaitEnd(task);
        BlockRef block = recorder.blocks(task).getFirst().block();
        assertThat(block.metadata().rows()).isEqualTo(100);
        assertThat(block.metadata().sizeBytes()).isEqualTo(800);
        assertThat(block.metadata().schema()).isEqualTo(TaskBlocks.SCHEMA);
        block.release();
    }

    @Test
    void aTaskReadsItsInputsWholeAndSliced() {
        BlockSlice whole = put(0, 10);
        BlockSlice part = whole.slice(3, 4);
        BlockSlice other = put(100, 2);
        long task = submit(1, List.of(whole, part, other), context -> {
            long[] sums = new long[context.inputs()];
            for (int i = 0; i < sums.length; i++) {
                try (Block input = context.input(i)) {
                    sums[i] = TaskBlocks.sum(input);
                }
            }
            context.emit(TaskBlocks.of(context.allocator(), sums));
        });
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(task)).containsExactly(45L, 18L, 201L);
        List.of(whole, part, other).forEach(BlockSlice::release);
    }

    @Test
    void aTaskMayPassItsInputOn() {
        BlockSlice input = put(0, 10);
        long task = submit(2, List.of(input), context -> {
            try (Block block = context.input(0)) {
                context.emit(block.slice(0, 2));
                context.emit(block.slice(5, 3));
            }
        });
        recorder.awaitEnd(task);
        input.release();
        assertThat(take(task)).containsExactly(0L, 1L, 5L, 6L, 7L);
    }

    @Test
    void theOutputOfATaskIsTheInputOfAnother() {
        long first = submit(3, counting(3));
        recorder.awaitEnd(first);
        List<BlockSlice> between = recorder.blocks(first).stream()
                .map(r -> BlockSlice.whole(r.block()))
                .toList();
        long second = submit(1, between, context -> {
            long sum = 0;
            for (int i = 0; i < context.inputs(); i++) {
                try (Block input = context.input(i)) {
                    sum += TaskBlocks.sum(input);
                }
            }
            context.emit(TaskBlocks.of(context.allocator(), sum));
        });
        recorder.awaitEnd(second);
        between.forEach(BlockSlice::release);
        assertThat(take(second)).containsExactly(3L);
    }

    @Test
    void whatIsPutComesBackWholeOrInPart() {
        BlockSlice slice = put(10, 5);
        assertThat(TaskBlocks.take(runtime.get(slice))).containsExactly(10L, 11L, 12L, 13L, 14L);
        BlockSlice part = slice.slice(1, 2);
        slice.release();
        assertThat(TaskBlocks.take(runtime.get(part))).containsExactly(11L, 12L);
        part.release();
    }

    @Test
    void anEmptyBlockIsABlock() {
        BlockSlice slice = BlockSlice.whole(runtime.put(TaskBlocks.of(driver)));
        try (Block block = runtime.get(slice)) {
            assertThat(block.rows()).isZero();
            assertThat(block.schema()).isEqualTo(TaskBlocks.SCHEMA);
        }
        slice.release();
    }

    @Test
    void aBlockOutlivesTheReferenceItWasReadFrom() {
        BlockSlice slice = put(0, 3);
        try (Block block = runtime.get(slice)) {
            slice.release();
            assertThat(TaskBlocks.values(block)).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void theLastReleaseFreesABlock() {
        BlockSlice slice = put(0, 1000);
        BlockSlice second = slice.slice(0, 1);
        slice.release();
        assertThat(TaskBlocks.take(runtime.get(second))).containsExactly(0L);
        second.release();
        assertThat(driver.heldBytes()).isZero();
        assertThatThrownBy(second::release).hasMessageContaining("released twice");
    }

    @Test
    void aProgramThatThrowsFailsItsTaskWithTheCause() {
        long task = submit(2, context -> {
            context.emit(TaskBlocks.of(context.allocator(), 7));
            throw new IllegalArgumentException("row 3 is odd", new IllegalStateException("below"));
        });
        TaskEvent.Failed failed = failed(recorder.awaitEnd(task));
        assertThat(failed.workerLost()).isFalse();
        assertThat(failed.cause())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row 3 is odd")
                .cause()
                .isInstanceOf(IllegalStateException.class);
        assertThat(failed.cause().getStackTrace())
                .anyMatch(e -> e.getClassName().contains("TaskContract"));
        assertThat(take(task)).containsExactly(7L);
    }

    @Test
    void anErrorOfOursKeepsItsCulprit() {
        long task = submit(1, context -> {
            throw MillraceException.data("part-3.parquet is cut off");
        });
        assertThat(failed(recorder.awaitEnd(task)).cause())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessage("part-3.parquet is cut off");
    }

    @Test
    void errorsOfTheMachineFailTheTaskAndNotTheWorker() {
        for (Error error : List.of(
                new OutOfMemoryError("Java heap space"), new StackOverflowError(), new NoClassDefFoundError("x/Y"))) {
            long task = submit(1, context -> {
                throw error;
            });
            // A runtime may word it, and keeps it as the cause.
            Throwable cause = failed(recorder.awaitEnd(task)).cause();
            assertThat(cause instanceof MillraceException ? cause.getCause() : cause)
                    .isInstanceOf(error.getClass());
        }
        assertThat(recorder.awaitEnd(submit(1, context -> {}))).isInstanceOf(TaskEvent.Finished.class);
    }

    @Test
    void anExceptionThatCannotTravelIsTold() {
        long task = submit(1, context -> {
            throw new Unserialisable("no way out");
        });
        assertThat(failed(recorder.awaitEnd(task)).cause())
                .hasMessageContaining("no way out")
                .asString()
                .contains("Unserialisable");
    }

    private static final class Unserialisable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Object notSerialisable = new Object();

        Unserialisable(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return super.getMessage() + " with " + notSerialisable;
        }
    }

    @Test
    void theReportCountsTimeAndWhatTheProgramCounted() {
        long task = submit(0, context -> {
            context.count("rows", 3);
            context.emit(TaskBlocks.of(context.allocator(), 1));
            Thread.sleep(20);
            context.count("rows", 4);
        });
        recorder.await(task, TaskEvent.Paused.class, 1);
        try {
            Thread.sleep(300);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        runtime.grant(task, 1);
        TaskEvent.Finished finished = (TaskEvent.Finished) recorder.awaitEnd(task);
        assertThat(finished.report().counters()).isEqualTo(Map.of("rows", 7L));
        assertThat(finished.report().wallNanos()).isGreaterThanOrEqualTo(20_000_000L);
        assertThat(finished.report().pausedNanos()).isGreaterThan(250_000_000L);
        assertThat(finished.report().cpuNanos()).isBetween(0L, finished.report().wallNanos());
        assertThat(finished.report().waitNanos()).isNotNegative();
        assertThat(finished.report().node())
                .isIn(runtime.nodes().stream().map(Runtime.Node::name).toList());
        take(task);
    }

    @Test
    void aLocalTaskRunsInThisProcess() {
        List<Long> seen = new ArrayList<>();
        Object notSerialisable = new Object();
        BlockSlice input = put(5, 2);
        TaskProgram program = context -> {
            try (Block block = context.input(0)) {
                seen.addAll(TaskBlocks.values(block));
            }
            seen.add(notSerialisable == null ? 0L : 1L);
            context.emit(TaskBlocks.of(context.allocator(), 9));
        };
        runtime.submit(
                new TaskSpec(77, "sink", program, null, List.of(input), 1, Resources.NONE, driver, true), recorder);
        assertThat(recorder.awaitEnd(77)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(seen).containsExactly(5L, 6L, 1L);
        assertThat(take(77)).containsExactly(9L);
        input.release();
    }

    @Test
    void aShippedProgramSeesACopyOfWhatItCaptured() {
        Assumptions.assumeTrue(runtime.shipsPrograms());
        long[] captured = {1};
        long task = submit(1, context -> {
            captured[0]++;
            context.emit(TaskBlocks.of(context.allocator(), captured[0]));
        });
        recorder.awaitEnd(task);
        assertThat(take(task)).containsExactly(2L);
        assertThat(captured[0]).isEqualTo(1);
    }

    @Test
    void aProgramThatCannotBeShippedFailsAndIsNamed() {
        Assumptions.assumeTrue(runtime.shipsPrograms());
        Object captured = new Object();
        long task = submit(1, context -> context.count(captured.toString(), 1));
        assertThat(failed(recorder.awaitEnd(task)).cause()).hasMessageContaining("java.lang.Object");
    }

    // ---- tasks that wait behind others, where a runtime queues them

    @Test
    void aQueuedTaskBeginsWhenTheOneInFrontOfItHasEnded() {
        assumeQueues();
        long first = submitBehind(0, 1, counting(2));
        recorder.await(first, TaskEvent.Paused.class, 1);
        long second = submitBehind(first, 1, counting(2));
        runtime.grant(second, 1);

        runtime.grant(first, 1);

        assertThat(recorder.awaitEnd(first)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(recorder.awaitEnd(second)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(first)).containsExactly(0L, 1L);
        assertThat(take(second)).containsExactly(0L, 1L);
    }

    @Test
    void aQueuedTaskBeginsWhenItIsToldTo() {
        assumeQueues();
        long first = submitBehind(0, 1, counting(2));
        recorder.await(first, TaskEvent.Paused.class, 1);
        long second = submitBehind(first, 1, counting(1));

        runtime.begin(second);

        assertThat(recorder.awaitEnd(second)).isInstanceOf(TaskEvent.Finished.class);
        runtime.recall(second);
        runtime.grant(first, 1);
        assertThat(recorder.awaitEnd(first)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(first)).hasSize(2);
        assertThat(take(second)).hasSize(1);
    }

    @Test
    void aQueuedTaskThatIsRecalledOrCancelledEndsWithoutHavingBegun() {
        assumeQueues();
        long first = submitBehind(0, 1, counting(2));
        recorder.await(first, TaskEvent.Paused.class, 1);
        long recalled = submitBehind(first, 1, counting(1));
        runtime.recall(recalled);
        assertThat(failed(recorder.awaitEnd(recalled)).cause()).isInstanceOf(TaskCancelled.class);
        long cancelled = submitBehind(first, 1, counting(1));
        runtime.cancel(cancelled);
        assertThat(failed(recorder.awaitEnd(cancelled)).cause()).isInstanceOf(TaskCancelled.class);
        // One that has begun is not taken back.
        runtime.recall(first);

        runtime.grant(first, 1);

        assertThat(recorder.awaitEnd(first)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(first)).hasSize(2);
        assertThat(take(recalled)).isEmpty();
        assertThat(take(cancelled)).isEmpty();
    }

    @Test
    void aTaskBehindOneThatHasEndedBeginsAtOnce() {
        assumeQueues();
        long first = submitBehind(0, 1, counting(1));
        recorder.awaitEnd(first);

        long second = submitBehind(first, 1, counting(1));

        assertThat(recorder.awaitEnd(second)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(take(first)).hasSize(1);
        assertThat(take(second)).hasSize(1);
    }

    private void assumeQueues() {
        Assumptions.assumeTrue(runtime.queuesTasks(), "tasks are not queued here");
    }
}
