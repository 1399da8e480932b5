package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.BlockMetadata;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Credit, rows and held blocks of a task over its attempts; [TaskRunTest] has the states in which each may change.
class TaskDeliveryTest {
    private static TaskRun newTask() {
        return new TaskRun(null, null, List.of(), 0, 0);
    }

    @Test
    void aGrantThatCrossesThePauseOnItsWayLetsTheTaskGoOn() {
        TaskRun task = newTask();
        task.begun(1);
        task.delivery().received();
        task.delivery().delivered(5);
        task.delivery().granted(1);
        assertThat(task.paused()).isFalse();
        assertThat(task.isRunning()).isTrue();
        task.delivery().received();
        assertThat(task.paused()).isTrue();
    }

    @Test
    void aNewAttemptHasTheCreditThatUnreadBlocksOfEarlierOnesLeave() {
        TaskRun task = newTask();
        assertThat(task.begun(3)).isEqualTo(3);
        for (int i = 0; i < 2; i++) {
            task.delivery().received();
            task.delivery().delivered(10);
        }
        assertThat(task.delivery().outstanding()).isEqualTo(3);
        task.delivery().taken();
        assertThat(task.delivery().outstanding()).isEqualTo(2);
        task.attemptOver(false);
        task.retried(0);
        assertThat(task.begun(3)).isEqualTo(2);
        task.attemptOver(false);
        task.retried(0);
        assertThat(task.begun(1)).as("less than it has").isZero();
    }

    @Test
    void rowsThatWereDeliveredComeAgainInEveryAttemptUntilTheyWereTakenBack() {
        TaskRun task = newTask();
        task.begun(9);
        assertThat(task.delivery().madeAgain(10)).isZero();
        task.delivery().delivered(10);
        task.delivery().delivered(5);
        task.attemptOver(true);
        assertThat(task.hasYielded()).isTrue();
        task.delivery().takenBack(5);
        task.retried(0);
        task.begun(9);
        assertThat(task.hasYielded()).isFalse();
        assertThat(task.delivery().madeAgain(7)).isEqualTo(7);
        assertThat(task.delivery().madeAgain(7)).isEqualTo(3);
        assertThat(task.delivery().madeAgain(7)).isZero();
        assertThat(task.delivery().deliveredRows()).isEqualTo(10);
        assertThat(task.delivery().deliveredBlocks()).isEqualTo(1);
    }

    @Test
    void blocksBesideTheOutputAreNewOnce() {
        TaskRun task = newTask();
        task.begun(9);
        assertThat(task.delivery().cameAside()).isTrue();
        assertThat(task.delivery().cameAside()).isTrue();
        task.attemptOver(false);
        task.retried(0);
        task.begun(9);
        assertThat(task.delivery().cameAside()).isFalse();
        assertThat(task.delivery().cameAside()).isFalse();
        assertThat(task.delivery().cameAside()).isTrue();
    }

    @Test
    void blocksThatAreHeldComeInTheirOrder() {
        TaskRun task = newTask();
        assertThat(task.delivery().holdsBlocks()).isFalse();
        assertThat(task.delivery().pollHeld()).isNull();
        task.begun(2);
        BlockSlice one = BlockSlice.whole(new EmptyBlock());
        BlockSlice two = BlockSlice.whole(new EmptyBlock());
        task.delivery().holds(one);
        task.delivery().holds(two);
        assertThat(task.delivery().pollHeld()).isSameAs(one);
        assertThat(task.delivery().pollHeld()).isSameAs(two);
        assertThat(task.delivery().holdsBlocks()).isFalse();
    }

    @Test
    void moreBlocksThanItDeliveredCannotBeTaken() {
        TaskRun task = newTask();
        task.begun(1);
        task.delivery().delivered(1);
        task.delivery().taken();
        assertThatThrownBy(() -> task.delivery().taken())
                .hasMessage("A task was relieved of a block that it does not have in state RUNNING.");
        assertThat(task.delivery().unread()).isZero();
    }

    private static final class EmptyBlock extends BlockRef {
        EmptyBlock() {
            super(new BlockMetadata(0, 0, Schema.empty(), List.of()));
        }

        @Override
        protected void free() {}
    }
}
