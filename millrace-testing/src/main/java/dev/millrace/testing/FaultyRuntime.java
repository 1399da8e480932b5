package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A wrapper of another runtime that injects [Faults]. It keeps the contract of the runtime interface, so whatever
/// breaks above it is a bug above it. Owns the wrapped runtime.
public final class FaultyRuntime implements Runtime {
    private final Runtime below;
    private final Faults faults;
    private final LateDelivery delivery;
    private final Map<Long, FaultyTask> tasks = new ConcurrentHashMap<>();
    private final Map<Long, FaultyActor> actors = new ConcurrentHashMap<>();
    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger lostTasks = new AtomicInteger();
    private final AtomicInteger killedActors = new AtomicInteger();

    /// Injects faults into a runtime, which it closes.
    public FaultyRuntime(Runtime below, Faults faults) {
        this.below = below;
        this.faults = faults;
        this.delivery = new LateDelivery(faults.seed(), faults.delayMicros());
    }

    /// Injects faults into the embedded runtime.
    public static FaultyRuntime embedded(Resources capacity, Faults faults) {
        return new FaultyRuntime(new EmbeddedRuntime(capacity), faults);
    }

    /// An actor and the calls in it; guarded by its monitor.
    private static final class FaultyActor {
        final LateDelivery.Lane lane = new LateDelivery.Lane();
        final Consumer<TaskEvent> events;
        final Set<FaultyTask> running = ConcurrentHashMap.newKeySet();
        boolean dead;

        FaultyActor(Consumer<TaskEvent> events) {
            this.events = events;
        }
    }

    @Override
    public String name() {
        return "faulty " + below.name();
    }

    @Override
    public Resources capacity() {
        return below.capacity();
    }

    @Override
    public List<Node> nodes() {
        return below.nodes();
    }

    @Override
    public boolean shipsPrograms() {
        return below.shipsPrograms();
    }

    /// The number of tasks that were failed with a lost worker so far; those in a killed actor are not counted.
    public int lostTasks() {
        return lostTasks.get();
    }

    /// The number of actors that it has killed.
    public int killedActors() {
        return killedActors.get();
    }

    @Override
    public void submit(TaskSpec spec, Consumer<TaskEvent> events) {
        ActorRef ref = spec.actor();
        FaultyActor actor = ref == null ? null : actors.get(ref.id());
        int blocksBeforeLoss = actor == null && !spec.local() ? chooseLoss() : -1;
        FaultyTask[] self = new FaultyTask[1];
        FaultyTask task = new FaultyTask(
                spec.id(), spec.credit(), below, delivery, events, faults.rowsPerBlock(), blocksBeforeLoss, () -> {
                    tasks.remove(spec.id());
                    if (actor != null) {
                        actor.running.remove(self[0]);
                    }
                });
        self[0] = task;
        tasks.put(spec.id(), task);
        boolean kill = actor != null && chooseKill();
        if (actor != null && !enter(actor, task)) {
            task.loseUnrun();
            return;
        }
        below.submit(uncut(spec), task::accept);
        if (actor != null && kill && ref != null) {
            kill(ref, actor);
        }
    }

    private boolean enter(FaultyActor actor, FaultyTask task) {
        synchronized (actor) {
            return !actor.dead && actor.running.add(task);
        }
    }

    private static TaskSpec uncut(TaskSpec spec) {
        return new TaskSpec(
                spec.id(),
                spec.first(),
                spec.operator(),
                spec.program(),
                spec.actor(),
                spec.inputs().stream().map(CutBlock::uncut).toList(),
                FaultyTask.creditBelow(spec.credit()),
                spec.resources(),
                spec.account(),
                spec.local());
    }

    /// Chooses the task of a round that is lost by the seed, and the number of its blocks before that by the round.
    private int chooseLoss() {
        int every = faults.loseTaskEvery();
        int number = submitted.getAndIncrement();
        if (every == 0 || number % every != Math.floorMod(faults.seed(), every)) {
            return -1;
        }
        lostTasks.incrementAndGet();
        return number / every % 3;
    }

    private boolean chooseKill() {
        return faults.killActorEvery() > 0 && calls.incrementAndGet() % faults.killActorEvery() == 0;
    }

    private void kill(ActorRef ref, FaultyActor actor) {
        synchronized (actor) {
            if (actor.dead) {
                return;
            }
            actor.dead = true;
            TaskEvent event = new TaskEvent.ActorFailed(ref.id(), FaultyTask.lostWorker(), true);
            delivery.send(actor.lane, () -> actor.events.accept(event));
        }
        killedActors.incrementAndGet();
        actor.running.forEach(FaultyTask::lose);
        below.stopActor(ref);
    }

    @Override
    public void grant(long id, int blocks) {
        FaultyTask task = tasks.get(id);
        if (task != null) {
            delivery.send(new LateDelivery.Lane(), () -> task.grant(blocks));
        }
    }

    @Override
    public void cancel(long id) {
        FaultyTask task = tasks.get(id);
        if (task != null) {
            delivery.send(new LateDelivery.Lane(), task::cancel);
        }
    }

    @Override
    public ActorRef startActor(ActorSpec spec, Consumer<TaskEvent> events) {
        FaultyActor actor = new FaultyActor(events);
        actors.put(spec.id(), actor);
        return below.startActor(spec, event -> {
            synchronized (actor) {
                if (!actor.dead) {
                    delivery.send(actor.lane, () -> events.accept(event));
                }
            }
        });
    }

    @Override
    public void stopActor(ActorRef ref) {
        FaultyActor actor = actors.get(ref.id());
        if (actor != null) {
            synchronized (actor) {
                if (actor.dead) {
                    return;
                }
            }
        }
        below.stopActor(ref);
    }

    @Override
    public BlockRef put(Block block) {
        return below.put(block);
    }

    @Override
    public Block get(BlockSlice slice) {
        return below.get(CutBlock.uncut(slice));
    }

    @Override
    public void close() {
        delivery.close();
        below.close();
    }
}
