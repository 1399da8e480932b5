package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.BlockOutlet;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import dev.millrace.memory.SteppedMemory;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/// One run of a session that a model steps: its loop, its tasks and its consumer, which holds the block it took last
/// and copies each, for which it may have to wait for memory.
final class SharedModelRun {
    private final Random random;
    private final Harness run;
    private final ModelPlans plans;
    private final ModelPlans.Expected expected;
    private final SteppedMemory memory;
    private final Allocator consumer;
    private final long copyBytes;
    private final int faults;
    private final List<long[]> received = new ArrayList<>();
    private BlockSlice inHand;
    private SteppedMemory.Request copy;
    private boolean hasCopy;
    private int pausesAfter = Integer.MAX_VALUE;
    private int closesAfter = Integer.MAX_VALUE;
    private boolean ended;
    private boolean closed;

    SharedModelRun(
            Random random,
            FairCapacity capacity,
            SteppedMemory memory,
            int parts,
            long partBytes,
            AtomicLong clock,
            AtomicLong ids) {
        this.random = random;
        this.memory = memory;
        this.copyBytes = parts * partBytes;
        boolean ordered = random.nextInt(4) != 0;
        FakePrograms programs = new FakePrograms();
        programs.targetBytes = 1L + random.nextInt(300);
        programs.need = Resources.cpus(random.nextInt(3) == 0 ? 0.5 : 1);
        FakeRuntime runtime = new FakeRuntime();
        runtime.memory = memory;
        runtime.heldPart = partBytes;
        runtime.heldParts = parts;
        int perRow = 1 + random.nextInt(30);
        runtime.bytes = rows -> rows * perRow;
        plans = new ModelPlans(random, programs, runtime, ordered);
        expected = random.nextBoolean() ? plans.many() : plans.any(1 + random.nextInt(3));
        run = new Harness(programs, capacity, runtime, clock, ids);
        run.memory = memory.root();
        faults = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 0;
        run.with(new ExecutionSettings(
                ordered,
                1 + random.nextInt(3),
                0.5 + random.nextInt(3),
                random.nextInt(5) / 4.0,
                1 + random.nextInt(3)));
        consumer = memory.root().child("consumer", Patience.CONSUMER);
    }

    void pausesAfter(int blocks) {
        pausesAfter = blocks;
    }

    void closesAfter(int blocks) {
        closesAfter = blocks;
    }

    void readOn() {
        pausesAfter = Integer.MAX_VALUE;
    }

    void open() {
        PhysicalPlan plan = expected.plan();
        NeedCheck.check(plan, run.capacity, UnaryOperator.identity());
        run.open(plan);
        outlet().ask();
    }

    private BlockOutlet outlet() {
        return run.outlets.getFirst();
    }

    /// The consumer has all it wanted, and everything of the run is over.
    boolean isDone() {
        return ended && closed;
    }

    boolean isPaused() {
        return !ended && received.size() >= pausesAfter && copy == null;
    }

    boolean stepAtRandom() {
        if (random.nextInt(100) == 0) {
            // Somebody asks for the numbers, which is no reason to look at anything else.
            run.scheduler.stats();
        }
        return switch (random.nextInt(6)) {
            case 0, 1 -> round(1 + random.nextInt(5));
            case 2, 3 -> stepRuntime();
            case 4 -> lookForMemory(random.nextInt(3));
            default -> consume();
        };
    }

    boolean stepIfPossible() {
        return round(Integer.MAX_VALUE) || stepRuntime() || consume() || lookForMemory(Integer.MAX_VALUE);
    }

    /// The loop acts only when something was posted to it, or at its own deadline.
    private boolean round(int events) {
        if (closed || !run.hasNews() && run.clock.get() < run.scheduler.deadline()) {
            return false;
        }
        run.round(events);
        if (run.scheduler.failure() != null) {
            throw new AssertionError("failed", run.scheduler.failure());
        }
        if (run.scheduler.isEnded()) {
            closed = true;
            run.end();
        }
        return true;
    }

    private boolean stepRuntime() {
        for (FakeRuntime.Actor actor : List.copyOf(run.runtime.actors.values())) {
            if (!actor.ready) {
                actor.becomeReady();
                return true;
            }
            if (random.nextInt(400) < faults && actor.mayBeLost()) {
                actor.fail(new IllegalStateException("lost"), true);
                return true;
            }
        }
        List<FakeRuntime.Task> able = run.runtime.tasks.values().stream()
                .filter(task -> task.canStep() && !task.isWaitingForMemory())
                .toList();
        if (able.isEmpty()) {
            return false;
        }
        FakeRuntime.Task task = able.get(random.nextInt(able.size()));
        if (random.nextInt(100) < faults && task.mayBeLost()) {
            task.fail(new IllegalStateException("lost"), true);
        } else {
            task.step();
        }
        return true;
    }

    /// Some of the tasks in line look whether it is their turn.
    private boolean lookForMemory(int most) {
        boolean moved = false;
        List<FakeRuntime.Task> waiting = run.runtime.tasks.values().stream()
                .filter(task -> task.canStep() && task.isWaitingForMemory())
                .limit(most)
                .toList();
        for (FakeRuntime.Task task : waiting) {
            moved |= task.step();
        }
        return moved;
    }

    private boolean consume() {
        if (ended || isPaused()) {
            return false;
        }
        if (copy != null) {
            if (!copy.look()) {
                return false;
            }
            copy = null;
            hasCopy = true;
            return true;
        }
        if (received.size() >= closesAfter) {
            stopReading();
            run.scheduler.cancel();
            run.demand();
            return true;
        }
        if (!outlet().isReady()) {
            outlet().beginToWait();
            return false;
        }
        release();
        BlockSlice slice = outlet().take();
        if (slice == null) {
            plans.check(expected, received);
            stopReading();
            return true;
        }
        inHand = slice;
        received.add(FakeBlock.values(slice));
        copy = memory.ask(consumer, null, copyBytes);
        return true;
    }

    private void release() {
        if (inHand != null) {
            inHand.release();
            inHand = null;
        }
        if (hasCopy) {
            hasCopy = false;
            memory.release(consumer, copyBytes);
        }
    }

    private void stopReading() {
        ended = true;
        release();
    }

    void close() {
        outlet().close();
        plans.owned.forEach(BlockSlice::release);
        if (run.runtime.living.get() != 0 || !run.runtime.actors.isEmpty() || !run.runtime.tasks.isEmpty()) {
            throw new AssertionError(run.runtime.living + " blocks, " + run.runtime.actors.size() + " actors and "
                    + run.runtime.tasks.size() + " tasks are left");
        }
    }

    @Override
    public String toString() {
        return (ended ? "ended" : isPaused() ? "paused" : "read") + " after " + received.size() + " blocks: "
                + run.scheduler.stats() + "\n  of " + expected.plan() + "\n  with " + run.settings.execution();
    }
}
