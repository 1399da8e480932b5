package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.memory.SteppedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Several runs of one session, with random plans, that share its CPUs and its memory, in random orders of events. The
/// consumers of some stop reading for as long as it takes: the others must end all the same, woken by nothing but what
/// they are told, and when the paused ones are read on, they end too. `-Dmillrace.model.runs=100000` asks for more,
/// `-Dmillrace.model.seed=...` for one session again.
class SharedSessionModelTest {
    private static final int MAX_STEPS = 400_000;
    /// Longer than the one deadline of those in line.
    private static final int MAX_QUIET_LOOKS = 400;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PART_BYTES = 1000;

    /// Each stood still, or was refused memory that others could have left: a task that had made room waited for an
    /// empty line; nobody was told when one left a line that others stood in, when a consumer came back, or after
    /// somebody had asked for the numbers; runs had no time left to bring blocks to disk; those that wait for consumers
    /// could not go there, nor what tasks work on that made room; two runs waited for each other's CPU; an actor kept
    /// its CPU while its call waited for memory.
    private static final long[] STUCK_ONCE = {316, 2024, 2465, 1096, 321, 758, 107_542, 34, 110_215};

    @Test
    void sessionsThatWereStuckEnd() {
        for (long seed : STUCK_ONCE) {
            new ModelSession(seed).run();
        }
    }

    @Test
    void runsEndThoughTheConsumersOfOthersArePaused() {
        Long one = Long.getLong("millrace.model.seed");
        if (one != null) {
            new ModelSession(one).run();
            return;
        }
        int sessions = Integer.getInteger("millrace.model.runs", 400);
        long first = Long.getLong("millrace.model.first", 1);
        for (long seed = first; seed < first + sessions; seed++) {
            try {
                new ModelSession(seed).run();
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + " (run it again with -Dmillrace.model.seed=" + seed + ")", e);
            }
        }
    }

    private static final class ModelSession {
        private final Random random;
        private final AtomicLong clock = new AtomicLong(1);
        private final FairCapacity capacity;
        private final SteppedMemory memory;
        private final List<SharedModelRun> runs = new ArrayList<>();

        ModelSession(long seed) {
            random = new Random(seed);
            int count = 2 + random.nextInt(3);
            capacity = new FairCapacity(Resources.cpus(1 + random.nextInt(random.nextBoolean() ? 3 : 8)));
            // Far more than runs plan with, so that it runs out.
            long blocks = 6 + 5L * count + random.nextInt(10);
            int parts = 2 + random.nextInt(4);
            memory = new SteppedMemory(parts * PART_BYTES * blocks, clock::get);
            AtomicLong ids = new AtomicLong();
            for (int i = 0; i < count; i++) {
                runs.add(new SharedModelRun(random, capacity, memory, parts, PART_BYTES, clock, ids));
            }
            // At least one is read on, and closing one early gives others what it had.
            for (SharedModelRun run : runs.subList(1, count)) {
                switch (random.nextInt(8)) {
                    case 0 -> {}
                    case 1 -> run.closesAfter(random.nextInt(3));
                    default -> run.pausesAfter(random.nextInt(3));
                }
            }
        }

        void run() {
            runs.forEach(SharedModelRun::open);
            until("while others are paused", false);
            runs.forEach(SharedModelRun::readOn);
            until("after the others", true);
            runs.forEach(SharedModelRun::close);
            check(memory.root().heldBytes() == 0, memory.root().heldBytes() + " bytes are held");
            check(capacity.used().cpus() == 0, capacity.used() + " not given back");
        }

        private static void check(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise);
            }
        }

        private void until(String when, boolean all) {
            int steps = 0;
            while (!runs.stream().allMatch(run -> run.isDone() || !all && run.isPaused())) {
                if (++steps > MAX_STEPS) {
                    throw new AssertionError("no end after " + steps + " steps, " + when + ": " + describe());
                }
                boolean moved;
                try {
                    moved = step();
                } catch (Throwable e) {
                    throw new AssertionError(when + ": " + describe(), e);
                }
                if (!moved) {
                    throw new AssertionError("stuck " + when + ": " + describe());
                }
            }
        }

        private String describe() {
            StringBuilder text = new StringBuilder(capacity.used() + " of " + capacity.total() + " and "
                    + memory.root().heldBytes() + " of " + memory.root().limit() + " bytes in use"
                    + "; the line: " + memory.describe());
            runs.forEach(run -> text.append("\n").append(run));
            return text.toString();
        }

        /// One thing that may happen, chosen at random; false when nothing can, however long one waits.
        private boolean step() {
            for (int tries = 0; tries < 8; tries++) {
                if (runs.get(random.nextInt(runs.size())).stepAtRandom()) {
                    return true;
                }
                if (random.nextInt(10) == 0) {
                    clock.addAndGet(random.nextLong(LOOK_NANOS));
                }
            }
            for (int looks = 0; looks < MAX_QUIET_LOOKS; looks++) {
                for (SharedModelRun run : runs) {
                    if (run.stepIfPossible()) {
                        return true;
                    }
                }
                clock.addAndGet(LOOK_NANOS);
            }
            return false;
        }
    }
}
