package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which tasks are asked to make room, without threads; [MemoryLineTest] has the line that asks.
class TaskPreemptionTest {
    private final Allocator root = Allocator.root("session", 1 << 20);
    private final Allocator run = root.child("run");
    private final WaiterQueue waiters = new WaiterQueue();
    private final AtomicInteger active = new AtomicInteger();
    private final TaskPreemption preemption = new TaskPreemption(waiters, active);
    private final List<Long> asked = new ArrayList<>();
    private final List<MemoryTurn> turns = new ArrayList<>();

    @AfterEach
    void nothingIsHeld() {
        turns.forEach(MemoryTurn::close);
        run.close();
        root.close();
    }

    private MemoryTurn turn(long task) {
        MemoryTurn turn = MemoryTurn.begin(null, run, task);
        turns.add(turn);
        return turn;
    }

    private MemoryTurn pausedTask(long task) {
        MemoryTurn turn = turn(task);
        preemption.paused(turn, () -> asked.add(task));
        return turn;
    }

    private MemoryWaiter first(long task) {
        MemoryWaiter waiter = new MemoryWaiter(run, 100, turn(task), false, 0, 0, null);
        waiters.add(waiter);
        return waiter;
    }

    @Test
    void theYoungestOfThePausedTasksIsAskedAndCountsAsMoving() {
        MemoryWaiter waiter = first(2);
        pausedTask(1);
        pausedTask(4);
        pausedTask(3);
        assertThat(preemption.makeRoomFor(waiter)).isTrue();
        assertThat(asked).containsExactly(4L);
        assertThat(active).hasValue(1);
        assertThat(preemption.pausedTasks()).isEqualTo(2);
    }

    @Test
    void tasksWithPriorityOverTheFirstAreNotAsked() {
        MemoryWaiter waiter = first(5);
        pausedTask(1);
        assertThat(preemption.makeRoomFor(waiter)).isFalse();
        assertThat(asked).isEmpty();
        assertThat(active).hasValue(0);
    }

    @Test
    void aTaskThatWasAskedDoesNotCountAsPausedWhenItGoesOn() {
        MemoryWaiter waiter = first(1);
        MemoryTurn two = pausedTask(2);
        MemoryTurn three = pausedTask(3);
        assertThat(preemption.makeRoomFor(waiter)).isTrue();
        assertThat(preemption.resumed(three)).isFalse();
        assertThat(preemption.resumed(two)).isTrue();
        assertThat(preemption.pausedTasks()).isZero();
    }

    @Test
    void eachTimeThatFreedNothingAsksTwiceAsManyUntilSomethingIsReleased() {
        MemoryWaiter waiter = first(0);
        for (long task = 1; task <= 20; task++) {
            pausedTask(task);
        }
        preemption.makeRoomFor(waiter);
        assertThat(asked).hasSize(1);
        preemption.makeRoomFor(waiter);
        assertThat(asked).hasSize(3);
        preemption.makeRoomFor(waiter);
        assertThat(asked).hasSize(7);
        preemption.released();
        preemption.makeRoomFor(waiter);
        assertThat(asked).hasSize(8);
    }
}
