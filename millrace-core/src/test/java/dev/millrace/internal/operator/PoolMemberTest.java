package dev.millrace.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What one actor of a pool says of its calls; the pool itself is tested with a scheduler, in `ActorPoolTest`.
class PoolMemberTest {
    private final PoolMember actor = new PoolMember(null, 1, null, 0);

    private TaskRun call(PoolMember of) {
        TaskRun task = new TaskRun(null, null, List.of(), 0, 0);
        task.begun(0);
        of.calls.add(task);
        return task;
    }

    private void pause(TaskRun call) {
        assertThat(call.paused()).isTrue();
        actor.paused++;
    }

    @Test
    void anActorComputesUnlessItsCallsArePausedOrWaitBehindPausedOnes() {
        assertThat(actor.computes(2)).isFalse();
        TaskRun first = call(actor);
        assertThat(actor.computes(2)).isTrue();
        pause(first);
        assertThat(actor.computes(2)).isFalse();
        TaskRun second = call(actor);
        call(actor);
        assertThat(actor.computes(2)).isTrue();
        assertThat(actor.computing(2)).as("of two at once, one is paused").isEqualTo(1);
        pause(second);
        assertThat(actor.computes(2)).as("the third waits behind both").isFalse();
        assertThat(actor.computing(2)).isZero();
        assertThat(actor.pausedCall()).isSameAs(first);
    }

    @Test
    void thoseInFrontWereAtWorkWhenTheActorWasLostAlsoAfterOthersHaveLeft() {
        TaskRun first = call(actor);
        TaskRun second = call(actor);
        TaskRun third = call(actor);
        pause(second);
        assertThat(actor.wasAtWork(first, 2)).isTrue();
        actor.calls.remove(first);
        assertThat(actor.wasAtWork(second, 2)).as("it was paused").isFalse();
        actor.calls.remove(second);
        assertThat(actor.wasAtWork(third, 2)).as("it waited behind them").isFalse();
    }

    @Test
    void theLeastBusyHasFewestCallsAndThenFewestRows() {
        PoolMember other = new PoolMember(null, 2, null, 0);
        call(other);
        assertThat(actor.isLessBusy(other, null)).isTrue();
        assertThat(other.isLessBusy(actor, null)).isFalse();
        call(actor);
        other.rows = 5;
        assertThat(actor.isLessBusy(other, null)).isTrue();
        assertThat(other.isLessBusy(actor, null)).isFalse();
    }
}
