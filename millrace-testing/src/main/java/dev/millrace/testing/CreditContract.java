package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.TaskEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The guarantees of every runtime for credit and cancellation.
abstract class CreditContract extends TaskContract {
    /// Long enough to observe a block that should not arrive.
    private static final long A_WHILE_MILLIS = 30;

    private void assertCancelled(long task) {
        assertThat(failed(recorder.awaitEnd(task)).cause()).isInstanceOf(TaskCancelled.class);
        assertThat(failed(recorder.awaitEnd(task)).workerLost()).isFalse();
    }

    @Test
    void aTaskWithoutCreditPausesUntilItIsGranted() throws Exception {
        long task = submit(2, counting(5));
        recorder.await(task, TaskEvent.Paused.class, 1);
        Thread.sleep(A_WHILE_MILLIS);
        assertThat(recorder.of(task)).hasSize(3);
        assertThat(recorder.blocks(task)).hasSize(2);
        runtime.grant(task, 1);
        recorder.await(task, TaskEvent.Paused.class, 2);
        Thread.sleep(A_WHILE_MILLIS);
        assertThat(recorder.blocks(task)).hasSize(3);
        runtime.grant(task, 10);
        assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(recorder.of(task))
                .filteredOn(TaskEvent.Paused.class::isInstance)
                .hasSize(2);
        assertThat(take(task)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aTaskThatNeedsNoMoreCreditThanItHasNeverPauses() {
        long task = submit(3, counting(3));
        recorder.awaitEnd(task);
        assertThat(recorder.of(task)).noneMatch(TaskEvent.Paused.class::isInstance);
        take(task);
    }

    @Test
    void aTaskMayStartWithoutCredit() {
        long task = submit(0, counting(1));
        recorder.await(task, TaskEvent.Paused.class, 1);
        assertThat(recorder.blocks(task)).isEmpty();
        runtime.grant(task, 1);
        recorder.awaitEnd(task);
        assertThat(take(task)).containsExactly(0L);
    }

    @Test
    void manyTasksAtOnceGetAllTheirBlocksAndNeverMoreThanGranted() {
        int count = 200;
        List<Long> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(submit(1, counting(4)));
        }
        for (int granted = 1; granted <= 4; granted++) {
            for (long task : tasks) {
                recorder.await(task, TaskEvent.BlockReady.class, granted);
                assertThat(recorder.blocks(task)).hasSize(granted);
                if (granted < 4) {
                    runtime.grant(task, 1);
                }
            }
        }
        for (long task : tasks) {
            assertThat(recorder.awaitEnd(task)).isInstanceOf(TaskEvent.Finished.class);
            assertThat(take(task)).containsExactly(0L, 1L, 2L, 3L);
        }
    }

    @Test
    void cancelEndsATaskThatAsks() {
        long task = submit(1, context -> {
            context.emit(TaskBlocks.of(context.allocator(), 1));
            while (!context.isCancelled()) {
                Thread.onSpinWait();
            }
        });
        recorder.await(task, TaskEvent.BlockReady.class, 1);
        runtime.cancel(task);
        assertCancelled(task);
        assertThat(take(task)).containsExactly(1L);
    }

    @Test
    void cancelEndsATaskThatSleeps() {
        long task = submit(1, context -> {
            context.emit(TaskBlocks.of(context.allocator(), 1));
            Thread.sleep(3_600_000);
        });
        recorder.await(task, TaskEvent.BlockReady.class, 1);
        runtime.cancel(task);
        assertCancelled(task);
        take(task);
    }

    @Test
    void cancelEndsATaskThatSwallowsTheInterruptAndReturns() {
        long task = submit(1, context -> {
            context.emit(TaskBlocks.of(context.allocator(), 1));
            try {
                Thread.sleep(3_600_000);
            } catch (InterruptedException e) {
                // Simulates a careless function that ignores its interrupt.
            }
        });
        recorder.await(task, TaskEvent.BlockReady.class, 1);
        runtime.cancel(task);
        assertCancelled(task);
        take(task);
    }

    @Test
    void cancelEndsAPausedTaskAndFreesTheBlockItHolds() {
        long task = submit(1, counting(100));
        recorder.await(task, TaskEvent.Paused.class, 1);
        runtime.cancel(task);
        assertCancelled(task);
        assertThat(take(task)).containsExactly(0L);
    }

    @Test
    void cancelRightAfterSubmitEndsWithOneFinalEvent() {
        List<Long> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            long task = submit(1, counting(2));
            runtime.cancel(task);
            tasks.add(task);
        }
        tasks.forEach(task -> {
            assertCancelled(task);
            take(task);
        });
    }

    @Test
    void aCancelledTaskLeavesNoInterruptToTheNext() {
        for (int i = 0; i < 20; i++) {
            long cancelled = submit(1, context -> Thread.sleep(3_600_000));
            runtime.cancel(cancelled);
            assertCancelled(cancelled);
            long next = submit(1, context -> Thread.sleep(1));
            assertThat(recorder.awaitEnd(next)).isInstanceOf(TaskEvent.Finished.class);
        }
    }

    @Test
    void grantAndCancelOfATaskThatEndedDoNothing() {
        long task = submit(1, counting(1));
        recorder.awaitEnd(task);
        runtime.grant(task, 5);
        runtime.cancel(task);
        runtime.cancel(987_654);
        assertThat(take(task)).containsExactly(0L);
    }
}
