package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.BlockOutlet;
import dev.millrace.internal.operator.OperatorPipeline;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.settings.ExecutionSettings;
import dev.millrace.settings.Settings;
import dev.millrace.stats.OperatorStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A scheduler on a [FakeRuntime], driven by hand in the test's thread, with a clock of its own.
final class Harness {
    final FakeRuntime runtime;
    final FakePrograms programs;
    final FairCapacity capacity;
    final AtomicLong clock;
    final ArrayDeque<TaskEvent> events = new ArrayDeque<>();
    Allocator memory = Allocator.root("test", Long.MAX_VALUE / 4);
    final List<BlockOutlet> outlets = new ArrayList<>();
    Settings settings = Settings.DEFAULT;
    TaskScheduler scheduler;
    boolean demand;
    private boolean splits;
    private boolean freed;
    private boolean told;
    private boolean active;
    private boolean ended;
    private final AtomicLong ids;

    Harness(FakePrograms programs, Resources total) {
        this(programs, total, new FakeRuntime());
    }

    Harness(FakePrograms programs, Resources total, FakeRuntime runtime) {
        this(programs, new FairCapacity(total), runtime, new AtomicLong(1), new AtomicLong());
    }

    /// One of several runs that share a capacity, a clock and the numbers of tasks.
    Harness(FakePrograms programs, FairCapacity capacity, FakeRuntime runtime, AtomicLong clock, AtomicLong ids) {
        this.runtime = runtime;
        this.programs = programs;
        this.capacity = capacity;
        this.clock = clock;
        this.ids = ids;
    }

    static Harness withCpus(int cpus) {
        return new Harness(new FakePrograms(), Resources.cpus(cpus));
    }

    Harness with(ExecutionSettings changed) {
        settings = settings.with(changed);
        return this;
    }

    Harness open(PhysicalPlan plan) {
        return open(plan, 1, false);
    }

    Harness open(PhysicalPlan plan, int consumers, boolean equal) {
        for (int i = 0; i < consumers; i++) {
            outlets.add(OperatorPipeline.outlet(memory, this::demand));
        }
        Allocator account = memory.child("run");
        scheduler = new TaskScheduler(
                plan,
                new TaskScheduler.Wiring(
                        "test",
                        runtime,
                        capacity,
                        capacity.join("test", () -> {
                            freed = true;
                            beActive();
                        }),
                        account,
                        all -> capacity.total().memory() == 0
                                ? Long.MAX_VALUE
                                : capacity.total().memory(),
                        settings,
                        programs,
                        clock::get,
                        ids::incrementAndGet,
                        this::post,
                        Runnable::run,
                        () -> {
                            splits = true;
                            beActive();
                        }),
                outlets,
                equal);
        account.serve(scheduler.pipeline().output()::isConsumerWaiting, () -> {
            told = true;
            beActive();
        });
        beActive();
        scheduler.open();
        settle();
        return this;
    }

    private void post(TaskEvent event) {
        events.add(event);
        beActive();
    }

    /// The loop has to look at its outlets.
    void demand() {
        demand = true;
        beActive();
    }

    /// As the mailbox of a loop tells it.
    private void beActive() {
        if (!active && !ended) {
            active = true;
            memory.admission().loopIsActive();
        }
    }

    private void beQuiet() {
        if (active) {
            active = false;
            memory.admission().loopIsQuiet();
        }
    }

    /// The loop ends.
    void end() {
        scheduler.close();
        ended = true;
        beQuiet();
    }

    /// The consumer calls next() the first time.
    Harness ask() {
        outlets.forEach(BlockOutlet::ask);
        return settle();
    }

    /// Passes on all that happened, and lets the scheduler react.
    Harness settle() {
        do {
            round(Integer.MAX_VALUE);
        } while (hasNews());
        return this;
    }

    /// One round of the loop, which gets only this many of the events that wait.
    void round(int most) {
        // At its own deadline too.
        beActive();
        scheduler.tick();
        freed = false;
        told = false;
        if (demand) {
            demand = false;
            scheduler.demanded();
        }
        if (splits) {
            splits = false;
            scheduler.splitsChanged();
        }
        for (int i = 0; i < most && !events.isEmpty(); i++) {
            scheduler.accept(events.poll());
        }
        scheduler.dispatch();
        if (!hasNews() && scheduler.isIdle()) {
            beQuiet();
        }
    }

    boolean hasNews() {
        return demand || splits || freed || told || !events.isEmpty();
    }

    /// Lets everything that runs run as far as it can.
    Harness runAll() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (FakeRuntime.Actor actor : List.copyOf(runtime.actors.values())) {
                if (!actor.ready) {
                    actor.becomeReady();
                    moved = true;
                }
            }
            for (FakeRuntime.Task task : List.copyOf(runtime.tasks.values())) {
                if (runtime.tasks.containsKey(task.spec.id()) && task.canStep()) {
                    task.step();
                    moved = true;
                }
            }
            settle();
        }
        return this;
    }

    /// The rows of the next block, or null if there is none yet.
    long[] take() {
        return take(0);
    }

    long[] take(int consumer) {
        outlets.get(consumer).ask();
        if (!outlets.get(consumer).isReady()) {
            settle();
            if (!outlets.get(consumer).isReady()) {
                return null;
            }
        }
        BlockSlice slice = outlets.get(consumer).take();
        settle();
        if (slice == null) {
            return null;
        }
        long[] values = FakeBlock.values(slice);
        slice.release();
        return values;
    }

    /// Runs to the end and answers all rows.
    long[] drain() {
        List<long[]> all = new ArrayList<>();
        ask();
        while (true) {
            runAll();
            if (!outlets.getFirst().isReady()) {
                throw new AssertionError("nothing runs, and no output is there: " + scheduler.stats());
            }
            long[] block = take();
            if (block == null) {
                return FakePrograms.concat(all);
            }
            all.add(block);
        }
    }

    OperatorStats stats(String operator) {
        return scheduler.stats().operators().stream()
                .filter(o -> o.name().equals(operator))
                .findFirst()
                .orElseThrow();
    }

    /// Ends the run and checks that nothing is left.
    void close() {
        scheduler.cancel();
        settle();
        runAll();
        if (!scheduler.isEnded()) {
            throw new AssertionError("not ended: " + scheduler.stats());
        }
        end();
        outlets.forEach(BlockOutlet::close);
        check(runtime.living.get() == 0, runtime.living + " blocks were not released");
        check(runtime.actors.isEmpty(), runtime.actors.size() + " actors were not stopped");
        check(capacity.used().cpus() == 0, capacity.used() + " not given back");
        check(scheduler.stats().memoryBytes() == 0, scheduler.stats().memoryBytes() + " bytes still counted");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
