package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Random small plans, settings, budgets and failures, in random orders of events: no run gets stuck, no row is lost
/// or doubled, order is kept when asked, and everything is released. `-Dmillrace.model.runs=100000` asks for more,
/// `-Dmillrace.model.seed=...` for one run again.
class LivenessModelTest {
    private static final int MAX_STEPS = 200_000;
    /// A block came to the small side of a join after that was found too large, and got no credit.
    private static final long STUCK_ONCE = 105_265;

    @Test
    void aRunThatWasStuckEnds() {
        new ModelRun(STUCK_ONCE).run();
    }

    @Test
    void everyRunEndsWithTheRightRowsAndReleasesEverything() {
        Long one = Long.getLong("millrace.model.seed");
        if (one != null) {
            new ModelRun(one).run();
            return;
        }
        int runs = Integer.getInteger("millrace.model.runs", 3000);
        long first = Long.getLong("millrace.model.first", 1);
        for (long seed = first; seed < first + runs; seed++) {
            try {
                new ModelRun(seed).run();
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + " (run it again with -Dmillrace.model.seed=" + seed + ")", e);
            }
        }
    }

    private static final class ModelRun {
        private final Random random;
        private final Harness run;
        private final ModelPlans.Expected expected;
        private final ModelPlans plans;
        private final int faults;
        private final boolean closesEarly;
        private final boolean userFails;
        private final CapacityShare.Member other;
        private int otherHas;
        private boolean otherFreed;
        private boolean failed;
        private final List<long[]> received = new ArrayList<>();
        private boolean ended;

        ModelRun(long seed) {
            random = new Random(seed);
            boolean ordered = random.nextInt(4) != 0;
            FakePrograms programs = new FakePrograms();
            programs.targetBytes = 1L + random.nextInt(300);
            programs.need = Resources.cpus(random.nextInt(3) == 0 ? 0.5 : 1);
            FakeRuntime runtime = new FakeRuntime();
            int perRow = 1 + random.nextInt(30);
            runtime.bytes = rows -> rows * perRow;
            plans = new ModelPlans(random, programs, runtime, ordered);
            expected = plans.any(1 + random.nextInt(4));
            run = new Harness(programs, plans.total(), runtime);
            faults = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 0;
            closesEarly = random.nextInt(12) == 0;
            userFails = random.nextInt(15) == 0;
            run.with(new ExecutionSettings(
                    ordered,
                    1 + random.nextInt(3),
                    0.5 + random.nextInt(3),
                    random.nextInt(5) / 4.0,
                    1 + random.nextInt(3)));
            other = run.capacity.join("other", () -> otherFreed = true);
        }

        void run() {
            NeedCheck.check(expected.plan(), run.capacity, UnaryOperator.identity());
            run.open(expected.plan());
            run.outlets.getFirst().ask();
            int closeAt = closesEarly ? random.nextInt(60) : Integer.MAX_VALUE;
            int steps = 0;
            while (!ended && steps < closeAt) {
                if (++steps > MAX_STEPS) {
                    throw new AssertionError("no end after " + steps + " steps: " + run.scheduler.stats());
                }
                if (!step()) {
                    throw new AssertionError("stuck: " + run.scheduler.stats() + "\nof " + expected.plan() + "\nwith "
                            + run.settings.execution() + ", " + run.capacity.total());
                }
            }
            giveAllBack();
            other.close();
            if (ended && !failed) {
                plans.check(expected, received);
            }
            plans.owned.forEach(BlockSlice::release);
            run.close();
        }

        /// One thing that may happen, chosen at random; false when nothing can.
        private boolean step() {
            for (int tries = 0; tries < 6; tries++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        if (run.hasNews()) {
                            run.round(1 + random.nextInt(5));
                            return true;
                        }
                    }
                    case 2, 3 -> {
                        if (stepRuntime()) {
                            return true;
                        }
                    }
                    case 4 -> {
                        if (consume()) {
                            return true;
                        }
                    }
                    default -> disturb();
                }
            }
            if (run.hasNews()) {
                run.round(Integer.MAX_VALUE);
                return true;
            }
            if (stepRuntime() || consume()) {
                return true;
            }
            // Only what the other run holds, or waits for, may still be in the way.
            giveAllBack();
            return run.hasNews();
        }

        private boolean stepRuntime() {
            List<FakeRuntime.Actor> actors = new ArrayList<>(run.runtime.actors.values());
            for (FakeRuntime.Actor actor : actors) {
                if (!actor.ready && random.nextInt(2) == 0) {
                    if (random.nextInt(100) < faults && actor.mayBeLost()) {
                        actor.fail(new IllegalStateException("lost"), true);
                    } else {
                        actor.becomeReady();
                    }
                    return true;
                }
                if (actor.ready && random.nextInt(400) < faults && actor.mayBeLost()) {
                    actor.fail(new IllegalStateException("lost"), true);
                    return true;
                }
            }
            List<FakeRuntime.Task> able = run.runtime.tasks.values().stream()
                    .filter(FakeRuntime.Task::canStep)
                    .toList();
            if (able.isEmpty()) {
                FakeRuntime.Actor starting =
                        actors.stream().filter(a -> !a.ready).findFirst().orElse(null);
                if (starting == null) {
                    return false;
                }
                starting.becomeReady();
                return true;
            }
            FakeRuntime.Task task = able.get(random.nextInt(able.size()));
            if (random.nextInt(100) < faults && task.mayBeLost()) {
                task.fail(new IllegalStateException("lost"), true);
            } else if (userFails && random.nextInt(30) == 0) {
                task.fail(new IllegalStateException("the user's"), false);
            } else {
                task.step();
            }
            return true;
        }

        private boolean consume() {
            if (!run.outlets.getFirst().isReady()) {
                return false;
            }
            try {
                BlockSlice slice = run.outlets.getFirst().take();
                if (slice == null) {
                    ended = true;
                } else {
                    received.add(FakeBlock.values(slice));
                    slice.release();
                }
            } catch (MillraceException e) {
                if (!userFails) {
                    throw e;
                }
                failed = true;
                ended = true;
            }
            return true;
        }

        /// Another run takes and gives back, time passes, a timer rings.
        private void disturb() {
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (other.tryTake(Resources.cpus(1), null) != null) {
                        otherHas++;
                    }
                }
                case 1 -> giveAllBack();
                case 2 -> run.clock.addAndGet(random.nextInt(1000));
                default -> {
                    if (random.nextInt(5) == 0) {
                        run.clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
                        run.round(0);
                    }
                }
            }
        }

        private void giveAllBack() {
            for (; otherHas > 0; otherHas--) {
                other.giveBack(Resources.cpus(1), run.capacity.nodes().getFirst());
            }
            other.settled();
        }
    }
}
