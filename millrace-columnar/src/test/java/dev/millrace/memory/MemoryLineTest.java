package dev.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A session of 100 units of 64 KiB: tasks wait above 85 of them, the first in line above 95, consumers at 100.
@Timeout(30)
class MemoryLineTest {
    private static final long UNIT = 64 << 10;

    /// Time passes when a test says so.
    private final AtomicLong clock = new AtomicLong();

    private final Allocator session = Allocator.root("session", 100 * UNIT, clock::get);
    private final Allocator run = session.child("run");
    private final Allocator early = run.child("read", Patience.TASK);
    private final Allocator late = run.child("map", Patience.TASK);
    private final Allocator consumer = session.child("consumer", Patience.CONSUMER);
    private final AtomicBoolean consumerWaits = new AtomicBoolean(true);
    private final AtomicInteger told = new AtomicInteger();

    MemoryLineTest() {
        late.stage(1, true);
        run.serve(consumerWaits::get, told::incrementAndGet);
    }

    @AfterEach
    void nothingIsHeldAndNobodyWaits() {
        assertThat(session.admission().isContended()).isFalse();
        assertThat(session.heldBytes()).isZero();
        assertThat(session.peakBytes()).isLessThanOrEqualTo(100 * UNIT);
        session.close();
    }

    /// Of power-of-two sizes, which are counted as they are.
    private static List<Buffer> take(Allocator account, int units) {
        List<Buffer> taken = new CopyOnWriteArrayList<>();
        for (int i = 0; i < units; i++) {
            taken.add(account.allocate(UNIT));
        }
        return taken;
    }

    private static <T> FutureTask<T> task(Allocator account, long id, Callable<T> work) {
        FutureTask<T> result = new FutureTask<>(() -> {
            try (MemoryTurn _ = account.enter(id)) {
                return work.call();
            }
        });
        Thread.ofPlatform().daemon().start(result);
        return result;
    }

    private static void await(Allocator account, int waiting) throws InterruptedException {
        while (account.admission().waiting() != waiting) {
            Thread.sleep(1);
        }
    }

    /// Whoever is in line is woken now and then, to look at the clock.
    private void passTimeUntil(FutureTask<?> done) throws InterruptedException {
        while (!done.isDone()) {
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            session.admission().wantedChanged();
            Thread.sleep(1);
        }
    }

    private static void release(List<Buffer> buffers) {
        buffers.forEach(Buffer::release);
    }

    @Test
    void aTaskWaitsAboveTheCalmLimitUntilSomethingIsReleased() throws Exception {
        consumerWaits.set(false);
        List<Buffer> held = take(early, 85);
        FutureTask<Buffer> waiting = task(early, 1, () -> early.allocate(UNIT));
        await(early, 1);
        assertThat(early.admission().waitingBytes()).isEqualTo(UNIT);
        assertThat(told.get()).isPositive();
        held.remove(0).release();
        waiting.get().release();
        release(held);
    }

    @Test
    void theNearestToTheOutputIsServedFirstThenTheOldest() throws Exception {
        consumerWaits.set(false);
        List<Buffer> held = take(early, 85);
        List<String> served = new CopyOnWriteArrayList<>();
        List<FutureTask<Void>> tasks = List.of(
                wanting(early, 1, served),
                wanting(late, 9, served),
                wanting(early, 3, served),
                wanting(late, 7, served));
        await(early, 2);
        await(late, 2);
        held.remove(0).release();
        for (FutureTask<Void> each : tasks) {
            each.get();
        }
        assertThat(served).containsExactly("map 7", "map 9", "read 1", "read 3");
        release(held);
    }

    /// As one does that reads a block back which others may need as well.
    @Test
    void aTaskStandsWhereItsOperatorDoesAlsoWhenItAsksForTheSession() throws Exception {
        session.admission().loopIsActive();
        Allocator shared = session.child("read back", Patience.TASK);
        List<Buffer> held = take(early, 85);
        List<String> served = new CopyOnWriteArrayList<>();
        FutureTask<Void> reads = wanting(early, 1, served);
        FutureTask<Void> maps = task(late, 9, () -> {
            Buffer buffer = shared.allocate(UNIT);
            served.add("read back 9");
            buffer.release();
            return null;
        });
        await(early, 1);
        await(late, 1);
        assertThat(early.admission().mayBeginAgain(0)).isFalse();
        assertThat(late.admission().mayBeginAgain(10)).isFalse();
        assertThat(late.admission().mayBeginAgain(8)).isTrue();
        held.remove(0).release();
        reads.get();
        maps.get();
        assertThat(served).containsExactly("read back 9", "read 1");
        release(held);
        session.admission().loopIsQuiet();
        shared.close();
    }

    private static FutureTask<Void> wanting(Allocator account, long id, List<String> served) {
        return task(account, id, () -> {
            Buffer buffer = account.allocate(UNIT);
            served.add(account.name() + " " + id);
            buffer.release();
            return null;
        });
    }

    @Test
    void theFirstInLineMayGoUpToTheCeilingWhenItsConsumerWaits() throws Exception {
        List<Buffer> held = take(early, 85);
        FutureTask<List<Buffer>> first = task(late, 1, () -> take(late, 10));
        release(first.get());
        release(held);
    }

    @Test
    void aConsumerHasTheRestForItself() {
        List<Buffer> held = take(early, 85);
        List<Buffer> rest = take(consumer, 15);
        assertThat(session.heldBytes()).isEqualTo(100 * UNIT);
        release(rest);
        release(held);
    }

    @Test
    void theLastInLineMakesRoomWhenNothingElseCan() throws Exception {
        List<Buffer> held = take(session, 60);
        FutureTask<Integer> young = task(early, 2, () -> {
            List<Buffer> own = new CopyOnWriteArrayList<>();
            try {
                own.addAll(take(early, 25));
                own.add(early.allocate(32 * UNIT));
                return own.size();
            } finally {
                release(own);
            }
        });
        await(early, 1);
        FutureTask<Buffer> old = task(late, 1, () -> late.allocate(16 * UNIT));
        old.get(10, TimeUnit.SECONDS).release();
        assertThatThrownBy(young::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(MemoryYielded.class);
        release(held);
    }

    @Test
    void theFirstIsRefusedWhenNobodyIsLeftToMakeRoom() throws Exception {
        List<Buffer> held = take(session, 90);
        FutureTask<Buffer> alone = task(late, 1, () -> late.allocate(16 * UNIT));
        passTimeUntil(alone);
        assertThatThrownBy(alone::get)
                .hasCauseInstanceOf(MemoryRefused.class)
                .hasMessageContaining("'session' holds 5898240 of 6553600 bytes of block memory (itself: 5898240); map"
                        + " needs 1048576 more.");
        FutureTask<Buffer> consuming = new FutureTask<>(() -> consumer.allocate(16 * UNIT));
        Thread.ofPlatform().daemon().start(consuming);
        passTimeUntil(consuming);
        assertThatThrownBy(consuming::get)
                .cause()
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES));
        release(held);
    }

    @Test
    void aRequestThatNeverFitsIsRefusedAtOnce() {
        assertThatThrownBy(() -> early.allocate(128 * UNIT))
                .isInstanceOf(MemoryRefused.class)
                .hasMessage(
                        "read needs 8388608 bytes at once, and the memory limit is 6553600 bytes, of which one task may"
                                + " have 6225920. Raise the memory limit, or make rows or batches smaller.");
        assertThat(told).as("times that somebody waited").hasValue(0);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        consumerWaits.set(false);
        List<Buffer> held = take(early, 85);
        Thread[] thread = new Thread[1];
        FutureTask<Buffer> waiting = task(early, 1, () -> {
            thread[0] = Thread.currentThread();
            return early.allocate(UNIT);
        });
        await(early, 1);
        thread[0].interrupt();
        assertThatThrownBy(waiting::get).hasMessageContaining("read was interrupted while it waited for memory.");
        release(held);
    }

    @Test
    void idleMemoryIsGivenBackBeforeTheProcessGrowsBeyondTheLimit() {
        try (Allocator large = Allocator.root("large", 64L << 20)) {
            for (long mib = 3; mib < 60; mib += 3) {
                large.allocate(mib << 20).release();
                large.allocate(1000).release();
                assertThat(large.footprint()).isLessThanOrEqualTo(64L << 20);
            }
        }
    }

    /// A call in a thread of its own, for which its task waits; its result.
    private static <T> T callOf(MemoryTurn task, Allocator account, Function<Allocator, T> work) throws Exception {
        try (MemoryTurn call = task.ofCall(1, Long.MAX_VALUE)) {
            FutureTask<T> made = new FutureTask<>(() -> work.apply(account.onBehalfOf(call)));
            Thread.ofPlatform().daemon().start(made);
            task.waitForCall();
            try {
                return made.get();
            } finally {
                task.resumeAfterCall();
            }
        }
    }

    @Test
    void aCallInAnotherThreadStandsInLineInPlaceOfItsTask() throws Exception {
        List<Buffer> full = take(session, 95);
        FutureTask<Buffer> task = task(late, 1, () -> callOf(MemoryTurn.ofThread(), late, call -> call.allocate(UNIT)));
        await(late, 1);
        full.removeLast().release();
        task.get().release();

        // Nothing moves while the call waits: it is refused, and does not wait forever for its own task.
        List<Buffer> more = take(session, 1);
        FutureTask<Buffer> refused =
                task(late, 2, () -> callOf(MemoryTurn.ofThread(), late, call -> call.allocate(UNIT)));
        await(late, 1);
        passTimeUntil(refused);
        assertThatThrownBy(refused::get).rootCause().isInstanceOf(MemoryRefused.class);
        release(more);
        release(full);
    }

    @Test
    void aTaskGoesBeforeItsCallsAndTheseGoInTheirOrder() {
        try (MemoryTurn task = late.enter(7);
                MemoryTurn first = task.ofCall(1, Long.MAX_VALUE);
                MemoryTurn second = task.ofCall(2, Long.MAX_VALUE);
                MemoryTurn older = MemoryTurn.begin(late.line(), late, 6)) {
            List<MemoryTurn> inOrder = List.of(older, task, first, second);
            for (int i = 1; i < inOrder.size(); i++) {
                MemoryWaiter before = MemoryWaiter.paused(inOrder.get(i - 1));
                MemoryWaiter after = MemoryWaiter.paused(inOrder.get(i));
                assertThat(before.isBefore(after)).isTrue();
                assertThat(after.isBefore(before)).isFalse();
            }
        }
    }

    @Test
    void aCallThatIsGivenUpDoesNotWaitForMemory() throws Exception {
        consumerWaits.set(false);
        List<Buffer> full = take(session, 95);
        try (MemoryTurn task = late.enter(1);
                MemoryTurn call = task.ofCall(1, Long.MAX_VALUE)) {
            FutureTask<Boolean> waiting = new FutureTask<>(() -> {
                Allocator account = late.onBehalfOf(call);
                assertThatThrownBy(() -> account.allocate(UNIT)).isInstanceOf(MillraceException.class);
                return Thread.currentThread().isInterrupted();
            });
            Thread.ofPlatform().daemon().start(waiting);
            await(late, 1);

            call.giveUp();

            assertThat(waiting.get()).isFalse();
            FutureTask<Buffer> later =
                    new FutureTask<>(() -> late.onBehalfOf(call).allocate(UNIT));
            Thread.ofPlatform().daemon().start(later);
            assertThatThrownBy(later::get).rootCause().isInstanceOf(TaskCancelled.class);
        }
        release(full);
    }
}
