package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tasks that do not begin for the sake of others in line: whoever changes that tells their run, and only then. The
/// memory of a session of 100 units is full up to the calm limit; `paused` is a run whose consumer is away, `other` one
/// whose consumer waits. The loop of a run is at work, so that nobody in line has others make room.
@Timeout(30)
class HeldBackTasksTest {
    private static final long UNIT = 64 << 10;

    private final Allocator session = Allocator.root("session", 100 * UNIT);
    private final Party paused = new Party("paused", false);
    private final Party other = new Party("other", true);
    private final Allocator consumer = session.child("consumer", Patience.CONSUMER);
    private final List<Buffer> held = new CopyOnWriteArrayList<>();
    private final List<FutureTask<?>> started = new ArrayList<>();

    HeldBackTasksTest() {
        session.admission().loopIsActive();
    }

    /// A run of one operator.
    private final class Party {
        final AtomicBoolean consumerWaits;
        final AtomicInteger told = new AtomicInteger();
        final Allocator run;
        final Allocator operator;

        Party(String name, boolean wanted) {
            consumerWaits = new AtomicBoolean(wanted);
            run = session.child(name);
            operator = run.child(name + " map", Patience.TASK);
            run.serve(consumerWaits::get, told::incrementAndGet);
        }

        void consumerWaits(boolean waits) {
            consumerWaits.set(waits);
            session.admission().wantedChanged();
        }

        /// How often the run was told since this was asked the last time.
        int told() {
            return told.getAndSet(0);
        }
    }

    @AfterEach
    void nothingIsHeldAndNobodyWaits() throws Exception {
        held.forEach(Buffer::release);
        for (FutureTask<?> task : started) {
            task.get(10, TimeUnit.SECONDS);
        }
        session.admission().loopIsQuiet();
        assertThat(session.admission().isContended()).isFalse();
        assertThat(session.heldBytes()).isZero();
        session.close();
    }

    private void fill(int units) {
        for (int i = 0; i < units; i++) {
            held.add(session.allocate(UNIT));
        }
    }

    private void wait(Allocator account, long task, long units) throws InterruptedException {
        int before = account.admission().waiting();
        FutureTask<Void> waiting = start(() -> {
            try (MemoryTurn _ = account.enter(task)) {
                account.allocate(units * UNIT).release();
            }
            return null;
        });
        while (account.admission().waiting() == before && !waiting.isDone()) {
            Thread.sleep(1);
        }
    }

    private <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        started.add(task);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private void makeRoom(int units) {
        for (int i = 0; i < units; i++) {
            held.removeLast().release();
        }
    }

    @Test
    void tasksOfARunWhoseConsumerIsAwayHoldNobodyBack() throws Exception {
        fill(85);
        wait(paused.operator, 1, 1);

        assertThat(other.operator.admission().mayBegin()).isTrue();
        assertThat(other.operator.admission().mayBeginAgain(2)).isTrue();
    }

    @Test
    void aTaskThatMadeRoomIsToldOfWhenTheOneBeforeItLeavesThoughOthersStayInLine() throws Exception {
        fill(85);
        wait(paused.operator, 1, 32);
        wait(other.operator, 2, 16);
        FutureTask<?> before = started.getLast();
        assertThat(other.operator.admission().mayBeginAgain(3))
                .as("before 2 is served")
                .isFalse();
        other.told();

        makeRoom(16);
        before.get(10, TimeUnit.SECONDS);

        assertThat(session.admission().isContended())
                .as("the paused run's task still waits")
                .isTrue();
        assertThat(other.told()).isPositive();
        assertThat(other.operator.admission().mayBeginAgain(3)).isTrue();
    }

    @Test
    void anOlderTaskThatMadeRoomIsNotHeldBackByYoungerOnesInLine() throws Exception {
        fill(85);
        wait(other.operator, 5, 16);

        assertThat(other.operator.admission().mayBeginAgain(4)).isTrue();
        assertThat(other.operator.admission().mayBeginAgain(6)).isFalse();
    }

    @Test
    void aRunIsToldWhenTheLastConsumerLeavesTheLineThoughTasksStayInIt() throws Exception {
        fill(85);
        wait(paused.operator, 1, 32);
        fill(15);
        FutureTask<Void> waits = start(() -> {
            consumer.allocate(UNIT).release();
            return null;
        });
        while (!session.admission().isContendedByConsumer()) {
            Thread.sleep(1);
        }
        assertThat(other.operator.admission().mayBegin()).isFalse();
        other.told();

        makeRoom(1);
        waits.get(10, TimeUnit.SECONDS);

        assertThat(session.admission().isContended()).isTrue();
        assertThat(other.told()).isEqualTo(1);
        assertThat(other.operator.admission().mayBegin()).isTrue();
    }

    @Test
    void aRunBeginsNothingWhileItsConsumerIsAwayAndAnotherWaitsAndIsToldWhenItComesBack() throws Exception {
        fill(85);
        wait(other.operator, 1, 16);
        assertThat(paused.operator.admission().mayBegin()).isFalse();
        assertThat(paused.operator.admission().mayBeginAgain(0)).isFalse();

        paused.consumerWaits(true);

        assertThat(paused.told()).isEqualTo(1);
        assertThat(paused.operator.admission().mayBegin()).isTrue();
    }

    @Test
    void aRunIsToldWhenTheConsumerOfThoseBeforeItGoesAway() throws Exception {
        fill(85);
        wait(other.operator, 1, 16);
        assertThat(paused.operator.admission().mayBegin()).isFalse();

        other.consumerWaits(false);

        assertThat(paused.told()).isEqualTo(1);
        assertThat(paused.operator.admission().mayBegin()).isTrue();
    }

    @Test
    void nobodyIsToldOfAChangeThatHelpsHimNot() throws Exception {
        fill(85);
        wait(other.operator, 1, 16);
        FutureTask<?> first = started.getLast();
        wait(other.operator, 2, 32);
        assertThat(paused.operator.admission().mayBegin()).isFalse();

        makeRoom(16);
        first.get(10, TimeUnit.SECONDS);

        assertThat(paused.told()).as("another task goes before it still").isZero();
        assertThat(paused.operator.admission().mayBegin()).isFalse();
    }
}
