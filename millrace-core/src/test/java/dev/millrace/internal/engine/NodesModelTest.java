package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ExecutionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Random small plans on nodes that join and are lost, one to three runs at once, in random orders of events: no run
/// gets stuck, no row is lost or doubled, no node gets more than it has, and everything is given back.
/// `-Dmillrace.model.runs=100000` asks for more, `-Dmillrace.model.seed=...` for one session again.
class NodesModelTest {
    private static final int MAX_STEPS = 300_000;

    @Test
    void everyRunEndsWithTheRightRowsThoughNodesComeAndGo() {
        Long one = Long.getLong("millrace.model.seed");
        if (one != null) {
            new ModelCluster(one).run();
            return;
        }
        int runs = Integer.getInteger("millrace.model.runs", 1000);
        long first = Long.getLong("millrace.model.first", 1);
        for (long seed = first; seed < first + runs; seed++) {
            try {
                new ModelCluster(seed).run();
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + " (run it again with -Dmillrace.model.seed=" + seed + ")", e);
            }
        }
    }

    private static final class ModelCluster {
        private final Random random;
        private final FakeRuntime runtime = new FakeRuntime();
        private final AtomicLong clock = new AtomicLong(1);
        private final List<ClusterRun> runs = new ArrayList<>();
        private final FairCapacity capacity;
        private final int faults;
        private final boolean yields;
        private final long blockMemory;
        private Resources large = Resources.NONE;
        private int names;

        ModelCluster(long seed) {
            random = new Random(seed);
            // From small blocks to those that are worth a wait for their node.
            int perRow = random.nextBoolean() ? 1 + random.nextInt(30) : 1 + random.nextInt(20_000_000);
            runtime.bytes = rows -> rows * perRow;
            runtime.mayQueue = random.nextBoolean();
            faults = random.nextInt(2) * (1 + random.nextInt(6));
            yields = random.nextInt(3) == 0;
            blockMemory = random.nextBoolean() ? 0 : perRow * (1 + random.nextInt(50));
            AtomicLong ids = new AtomicLong();
            // The first node exists before the session does, so that it is known to be one of workers.
            runtime.join(new Runtime.Node("first", Resources.cpus(1), blockMemory));
            capacity = FairCapacity.of(runtime, UnaryOperator.identity());
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                runs.add(new ClusterRun(ids));
            }
            runs.forEach(run -> large = max(large, run.fitting()));
            runtime.join(node(large));
            for (int i = random.nextInt(4); i > 0; i--) {
                runtime.join(randomNode());
            }
        }

        private static Resources max(Resources a, Resources b) {
            return new Resources(
                    Math.max(a.cpus(), b.cpus()),
                    Math.max(a.gpus(), b.gpus()),
                    Math.max(a.memory(), b.memory()),
                    Map.of());
        }

        private Runtime.Node node(Resources resources) {
            return new Runtime.Node("node" + names++, resources, blockMemory);
        }

        private Runtime.Node randomNode() {
            return node(new Resources(1 + random.nextInt(4), random.nextInt(3), random.nextInt(4) * 100L, Map.of()));
        }

        void run() {
            runs.forEach(ClusterRun::open);
            int steps = 0;
            while (!runs.stream().allMatch(ClusterRun::isDone)) {
                if (++steps > MAX_STEPS) {
                    throw new AssertionError("no end after " + steps + " steps: " + describe());
                }
                if (!step()) {
                    throw new AssertionError("stuck: " + describe());
                }
            }
            runs.forEach(ClusterRun::close);
            check(runtime.living.get() == 0, runtime.living + " blocks were not released");
            check(runtime.actors.isEmpty() && runtime.tasks.isEmpty(), "actors or tasks are left");
            check(capacity.used().equals(Resources.NONE.plus(capacity.used().times(0))), capacity.used() + " used");
        }

        private static void check(boolean holds, String otherwise) {
            if (!holds) {
                throw new AssertionError(otherwise);
            }
        }

        private String describe() {
            StringBuilder text = new StringBuilder("nodes " + capacity.nodes());
            runs.forEach(run -> text.append("\n").append(run));
            return text.toString();
        }

        /// One thing that may happen, chosen at random; false when nothing can, however long one waits.
        private boolean step() {
            for (int tries = 0; tries < 6; tries++) {
                boolean moved = switch (random.nextInt(8)) {
                    case 0, 1, 2 -> any().round(1 + random.nextInt(5));
                    case 3, 4, 5 -> stepRuntime();
                    case 6 -> any().consume();
                    default -> disturb();
                };
                if (moved) {
                    return true;
                }
            }
            for (ClusterRun run : runs) {
                if (run.round(Integer.MAX_VALUE) || run.consume()) {
                    return true;
                }
            }
            return stepRuntime() || passTime() || bringNode();
        }

        private ClusterRun any() {
            return runs.get(random.nextInt(runs.size()));
        }

        private boolean disturb() {
            int what = random.nextInt(12);
            if (what == 0) {
                return faults > 0 && loseNode();
            }
            if (what == 1 && capacity.nodes().size() < 8 && random.nextInt(6) == 0) {
                runtime.join(randomNode());
                return true;
            }
            clock.addAndGet(random.nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
            return false;
        }

        private boolean loseNode() {
            List<Runtime.Node> nodes = runtime.nodes();
            Runtime.Node node = nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
            if (node == null || !runtime.mayLose(node)) {
                return false;
            }
            runtime.lose(node);
            return true;
        }

        /// To the next deadline of a loop that is not that of a run without progress, or without the nodes it needs.
        private boolean passTime() {
            long next = Long.MAX_VALUE;
            for (ClusterRun run : runs) {
                next = Math.min(next, run.deadline());
            }
            if (next - clock.get() > TimeUnit.SECONDS.toNanos(60)) {
                return false;
            }
            clock.set(Math.max(clock.get(), next));
            return true;
        }

        /// A run may wait for a node that is to come: then there is no large one.
        private boolean bringNode() {
            if (runtime.nodes().stream().anyMatch(node -> large.fitsIn(node.resources()))) {
                return false;
            }
            runtime.join(node(large));
            return true;
        }

        private boolean stepRuntime() {
            for (FakeRuntime.Actor actor : List.copyOf(runtime.actors.values())) {
                if (!actor.ready && random.nextInt(2) == 0) {
                    actor.becomeReady();
                    return true;
                }
                if (actor.ready && random.nextInt(400) < faults && actor.mayBeLost()) {
                    actor.fail(new IllegalStateException("lost"), true);
                    return true;
                }
            }
            List<FakeRuntime.Task> able = runtime.tasks.values().stream()
                    .filter(FakeRuntime.Task::canStep)
                    .toList();
            if (able.isEmpty()) {
                FakeRuntime.Actor starting = runtime.actors.values().stream()
                        .filter(actor -> !actor.ready)
                        .findFirst()
                        .orElse(null);
                if (starting != null) {
                    starting.becomeReady();
                }
                return starting != null;
            }
            FakeRuntime.Task task = able.get(random.nextInt(able.size()));
            if (random.nextInt(100) < faults && task.mayBeLost()) {
                task.fail(new IllegalStateException("lost"), true);
            } else if (yields && task.spec.node() != null && !task.cancelled && random.nextInt(20) == 0) {
                task.fail(new MemoryYielded(), false);
            } else {
                task.step();
            }
            return true;
        }

        /// One run of the session, with its consumer.
        private final class ClusterRun {
            private final Harness run;
            private final ModelPlans plans;
            private final ModelPlans.Expected expected;
            private final Resources need;
            private final List<long[]> received = new ArrayList<>();
            private final int closesAfter;
            private boolean ended;
            private boolean closed;

            ClusterRun(AtomicLong ids) {
                boolean ordered = random.nextInt(4) != 0;
                FakePrograms programs = new FakePrograms();
                programs.targetBytes = 1L + random.nextInt(300);
                programs.need = need = new Resources(
                        0.5 * (1 + random.nextInt(4)),
                        random.nextInt(4) == 0 ? 1 : 0,
                        random.nextInt(3) == 0 ? 100 : 0,
                        Map.of());
                plans = new ModelPlans(random, programs, runtime, ordered);
                expected = random.nextBoolean() ? plans.many() : plans.any(1 + random.nextInt(3));
                run = new Harness(programs, capacity, runtime, clock, ids);
                run.with(new ExecutionSettings(
                        ordered,
                        1 + random.nextInt(3),
                        0.5 + random.nextInt(3),
                        random.nextInt(5) / 4.0,
                        1 + random.nextInt(3)));
                closesAfter = random.nextInt(10) == 0 ? random.nextInt(5) : Integer.MAX_VALUE;
            }

            /// Enough on one node for a task beside one actor of each pool of each run.
            Resources fitting() {
                int actors = 3 * (plans.pools + 1);
                return new Resources(Math.max(2, need.cpus()), need.gpus() * actors, need.memory() * actors, Map.of());
            }

            void open() {
                NeedCheck.check(expected.plan(), capacity, UnaryOperator.identity());
                run.open(expected.plan());
                run.outlets.getFirst().ask();
            }

            boolean isDone() {
                return ended && closed;
            }

            long deadline() {
                return closed ? Long.MAX_VALUE : run.scheduler.deadline();
            }

            /// The loop acts only when something was posted to it, or at its own deadline.
            boolean round(int events) {
                if (closed || !run.hasNews() && clock.get() < run.scheduler.deadline()) {
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

            boolean consume() {
                if (ended) {
                    return false;
                }
                if (received.size() >= closesAfter) {
                    ended = true;
                    run.scheduler.cancel();
                    run.demand();
                    return true;
                }
                if (!run.outlets.getFirst().isReady()) {
                    return false;
                }
                try {
                    BlockSlice slice = run.outlets.getFirst().take();
                    if (slice == null) {
                        ended = true;
                        plans.check(expected, received);
                    } else {
                        received.add(FakeBlock.values(slice));
                        slice.release();
                    }
                } catch (MillraceException e) {
                    throw new AssertionError("failed", e);
                }
                return true;
            }

            void close() {
                run.outlets.getFirst().close();
                plans.owned.forEach(BlockSlice::release);
            }

            @Override
            public String toString() {
                return (ended ? "ended" : "read") + " after " + received.size() + " blocks, need " + need + ": "
                        + run.scheduler.stats() + "\n  of " + expected.plan() + "\n  with "
                        + run.settings.execution();
            }
        }
    }
}
