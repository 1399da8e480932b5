package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What wakes those in line, without threads and without time: each looks again only if it has news. A session of 100
/// bytes, where tasks wait above 85, the first in line above 95.
class LineNewsTest {
    private final AtomicLong clock = new AtomicLong(1);
    private final SteppedMemory memory = new SteppedMemory(100, clock::get);
    private final Allocator session = memory.root();
    private final AtomicBoolean consumerWaits = new AtomicBoolean(true);
    private final AtomicInteger told = new AtomicInteger();
    private final Allocator run = session.child("run");
    private final Allocator early = run.child("read", Patience.TASK);
    private final Allocator late = run.child("map", Patience.TASK);
    private final Allocator consumer = session.child("consumer", Patience.CONSUMER);

    LineNewsTest() {
        late.stage(1, true);
        run.serve(consumerWaits::get, told::incrementAndGet);
    }

    @AfterEach
    void nobodyWaits() {
        assertThat(session.admission().isContended()).isFalse();
    }

    /// A task that wants these bytes and has looked once.
    private SteppedMemory.Request wants(Allocator account, MemoryTurn turn, long bytes) {
        SteppedMemory.Request request = memory.ask(account, turn, bytes);
        assertThat(request.look()).isFalse();
        return request;
    }

    private void hold(Allocator account, long bytes) {
        assertThat(account.charge(bytes, Long.MAX_VALUE)).isNull();
    }

    private void passTime() {
        clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    }

    @Test
    void timeIsNoNewsWhileATaskComputes() {
        hold(session, 90);
        MemoryTurn computing = memory.begin(early, 1);
        MemoryTurn turn = memory.begin(early, 2);
        SteppedMemory.Request request = wants(early, turn, 20);
        passTime();
        assertThat(request.hasNews()).isFalse();

        computing.close();

        assertThat(request.hasNews()).isTrue();
        assertThat(request.look()).as("now it is desperate").isFalse();
        assertThat(session.admission().isDesperate()).isTrue();
        request.leave();
        turn.close();
    }

    @Test
    void aReleaseIsNewsForTheFirstOnly() {
        hold(session, 85);
        session.admission().loopIsActive();
        MemoryTurn one = memory.begin(early, 1);
        MemoryTurn two = memory.begin(late, 2);
        SteppedMemory.Request behind = wants(early, one, 5);
        SteppedMemory.Request first = wants(late, two, 20);

        memory.release(session, 1);

        assertThat(first.hasNews()).isTrue();
        assertThat(behind.hasNews()).isFalse();
        assertThat(first.look()).isFalse();

        first.leave();

        assertThat(behind.hasNews()).as("it is the first now").isTrue();
        memory.release(session, 4);
        assertThat(behind.look()).isTrue();
        one.close();
        two.close();
        session.admission().loopIsQuiet();
    }

    @Test
    void theLoopOfARunThatBecomesQuietIsNewsAndLetsTheFirstHaveTheReserve() {
        hold(session, 85);
        session.admission().loopIsActive();
        MemoryTurn turn = memory.begin(early, 1);
        SteppedMemory.Request request = wants(early, turn, 10);
        assertThat(request.hasNews()).isFalse();

        session.admission().loopIsQuiet();

        assertThat(request.look()).isTrue();
        turn.close();
    }

    @Test
    void whatGoesStraightToTheConsumerMayHaveTheReserveWhileOthersCompute() {
        hold(session, 85);
        MemoryTurn computing = memory.begin(late, 1);
        MemoryTurn turn = memory.begin(late, 2);
        SteppedMemory.Request request = memory.ask(late, turn, 5);
        assertThat(request.look()).isTrue();

        MemoryTurn other = memory.begin(late, 3);
        SteppedMemory.Request second = wants(late, other, 5);
        assertThat(second.hasNews()).as("one at a time has it").isFalse();

        turn.pause(() -> {});
        computing.close();
        assertThat(second.look()).isTrue();
        turn.resume();
        turn.close();
        other.close();
    }

    @Test
    void aConsumerThatBeginsToWaitIsNews() {
        consumerWaits.set(false);
        hold(session, 85);
        MemoryTurn turn = memory.begin(early, 1);
        SteppedMemory.Request request = wants(early, turn, 10);
        passTime();
        assertThat(request.hasNews()).as("nobody waits for what it makes").isFalse();

        consumerWaits.set(true);
        session.admission().wantedChanged();

        assertThat(request.look()).isTrue();
        turn.close();
    }

    @Test
    void whoIsAskedToMakeRoomCountsAsMovingUntilItHasEnded() {
        hold(session, 60);
        MemoryTurn young = memory.begin(early, 2);
        hold(early, 25);
        MemoryTurn old = memory.begin(late, 1);
        session.admission().loopIsActive();
        SteppedMemory.Request behind = wants(early, young, 20);
        SteppedMemory.Request first = wants(late, old, 20);
        session.admission().loopIsQuiet();

        assertThat(first.look()).isFalse();
        assertThatThrownBy(behind::look).isInstanceOf(MemoryYielded.class);
        assertThat(first.look()).isFalse();
        assertThat(session.admission().isDesperate()).as("it has not ended yet").isFalse();
        memory.release(early, 25);
        young.close();

        assertThat(first.look()).isTrue();
        old.close();
    }

    @Test
    void aPausedTaskThatIsAskedToMakeRoomAndGoesOnInsteadIsCountedOnce() {
        hold(session, 80);
        MemoryTurn young = memory.begin(early, 2);
        AtomicBoolean asked = new AtomicBoolean();
        young.pause(() -> asked.set(true));
        MemoryTurn old = memory.begin(late, 1);
        SteppedMemory.Request first = wants(late, old, 20);
        assertThat(asked).isTrue();

        // Somebody took its block meanwhile.
        young.resume();
        assertThat(first.look()).isFalse();
        assertThat(session.admission().isDesperate()).isFalse();
        young.close();

        assertThat(first.look()).isFalse();
        assertThat(session.admission().isDesperate()).as("nobody else is there").isTrue();
        first.leave();
        old.close();
    }

    @Test
    void theRunsAreToldBeforeTheFirstIsRefusedAtTheOneDeadline() {
        hold(session, 95);
        SteppedMemory.Request request = memory.ask(consumer, null, 10);
        told.set(0);
        assertThat(request.look()).isFalse();
        assertThat(told).as("blocks may go to disk").hasValue(1);
        clock.addAndGet(MemoryLine.REFUSAL_NANOS - 1);
        assertThat(request.hasNews()).isFalse();
        memory.release(session, 1);
        clock.addAndGet(1);
        assertThat(request.look()).as("something was released").isFalse();
        clock.addAndGet(MemoryLine.REFUSAL_NANOS);
        assertThatThrownBy(request::look).isInstanceOf(MemoryRefused.class).hasMessageContaining("consumer needs 10");
    }

    @Test
    void aTaskWaitsOnItsOwnRunWhateverAccountItAsks() {
        hold(session, 90);
        session.admission().loopIsActive();
        MemoryTurn turn = memory.begin(early, 1);
        SteppedMemory.Request request = wants(session, turn, 20);
        assertThat(early.admission().waiting()).isEqualTo(1);
        request.leave();
        assertThat(early.admission().waiting()).isZero();

        turn.pauseForOther(() -> {});
        assertThat(early.admission().waiting()).as("for a task that waits").isEqualTo(1);
        turn.resumeAfterOther();
        assertThat(early.admission().waiting()).isZero();
        turn.close();
        session.admission().loopIsQuiet();
    }
}
