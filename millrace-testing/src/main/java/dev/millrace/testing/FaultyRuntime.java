package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A wrapper of another runtime that injects [Faults]. It keeps the contract of the runtime interface, so whatever
/// breaks above it is a bug above it. Owns the wrapped runtime.
public final class FaultyRuntime implements Runtime {
    private static final int MAX_LOSSES = 2;

    private final Runtime below;
    private final Faults faults;
    private final BlockNodes nodes;
    private final LateDelivery delivery;
    private final Map<Long, FaultyTask> tasks = new ConcurrentHashMap<>();
    private final Map<Long, FaultyActor> actors = new ConcurrentHashMap<>();
    private final AtomicInteger submitted = new AtomicInteger();
    private final Map<Long, Integer> losses = new ConcurrentHashMap<>();
    private final AtomicLong poisoned = new AtomicLong(-1);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger lostTasks = new AtomicInteger();
    private final AtomicInteger killedActors = new AtomicInteger();

    /// Injects faults into a runtime, which it closes.
    public FaultyRuntime(Runtime below, Faults faults) {
        this.below = below;
        this.faults = faults;
        this.nodes = new BlockNodes(faults.seed(), faults.loseNodeEvery());
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
        List<Node> all = new ArrayList<>(below.nodes());
        all.addAll(nodes.nodes());
        return all;
    }

    @Override
    public void watchNodes(Consumer<NodeEvent> listener) {
        below.watchNodes(listener);
        nodes.watch(listener);
    }

    @Override
    public boolean mayLoseBlocks() {
        return faults.loseNodeEvery() > 0;
    }

    @Override
    public boolean shipsPrograms() {
        return below.shipsPrograms();
    }

    @Override
    public boolean sharesFiles() {
        return below.sharesFiles();
    }

    /// The number of tasks that were failed with a lost worker so far; those in a killed actor are not counted.
    public int lostTasks() {
        return lostTasks.get();
    }

    /// The number of actors that it has killed.
    public int killedActors() {
        return killedActors.get();
    }

    /// The number of nodes that were lost with their blocks.
    public int lostNodes() {
        return nodes.losses();
    }

    /// Loses a node now: a third of all blocks.
    public void loseNode() {
        nodes.lose();
        tasks.values().forEach(FaultyTask::checkInputs);
    }

    /// Loses all nodes now, and so all blocks, and tells of it.
    public void loseAllNodes() {
        nodes.loseAll(true);
        tasks.values().forEach(FaultyTask::checkInputs);
    }

    /// Loses all blocks now, and tells nobody.
    public void loseAllBlocks() {
        nodes.loseAll(false);
        tasks.values().forEach(FaultyTask::checkInputs);
    }

    private BlockRef place(BlockRef block) {
        BlockRef placed = nodes.place(block);
        if (nodes.isDue()) {
            delivery.send(new LateDelivery.Lane(), this::loseNode);
        }
        return placed;
    }

    @Override
    public void submit(TaskSpec spec, Consumer<TaskEvent> events) {
        ActorRef ref = spec.actor();
        FaultyActor actor = ref == null ? null : actors.get(ref.id());
        boolean poisoned = isPoisoned(spec);
        int blocksBeforeLoss = poisoned ? 0 : actor != null || spec.local() ? -1 : chooseLoss(spec);
        FaultyTask[] self = new FaultyTask[1];
        FaultyTask task = new FaultyTask(
                spec, below, delivery, events, this::place, faults.rowsPerBlock(), blocksBeforeLoss, () -> {
                    tasks.remove(spec.id());
                    if (actor != null) {
                        actor.running.remove(self[0]);
                    }
                });
        self[0] = task;
        tasks.put(spec.id(), task);
        boolean kill = actor != null && (poisoned || chooseKill(actor, spec));
        if (actor != null && !enter(actor, task)) {
            task.loseUnrun();
            return;
        }
        TaskSpec stored = task.stored();
        if (stored == null) {
            task.loseInputs();
            return;
        }
        below.submit(stored, task::accept);
        task.submitted();
        if (actor != null && kill && ref != null) {
            kill(ref, actor, () -> below.stopActor(ref));
        }
    }

    private boolean enter(FaultyActor actor, FaultyTask task) {
        synchronized (actor) {
            return !actor.dead && actor.running.add(task);
        }
    }

    /// Chooses the task of a round that is lost by the seed, and the number of its blocks before that by the round.
    private int chooseLoss(TaskSpec spec) {
        int every = faults.loseTaskEvery();
        int number = submitted.getAndIncrement();
        if (every == 0 || number % every != Math.floorMod(faults.seed(), every) || !mayLose(spec.first())) {
            return -1;
        }
        lostTasks.incrementAndGet();
        return number / every % 3;
    }

    private boolean chooseKill(FaultyActor actor, TaskSpec spec) {
        if (faults.killActorEvery() == 0 || calls.incrementAndGet() % faults.killActorEvery() != 0) {
            return false;
        }
        Set<Long> atRisk = new HashSet<>(Set.of(spec.first()));
        actor.running.forEach(task -> atRisk.add(task.first()));
        if (atRisk.stream().anyMatch(first -> losses.getOrDefault(first, 0) == MAX_LOSSES)) {
            return false;
        }
        atRisk.forEach(this::mayLose);
        return true;
    }

    /// Counts the loss of a task, unless it was lost as often as it may be.
    private boolean mayLose(long first) {
        return losses.merge(first, 1, Integer::sum) <= MAX_LOSSES;
    }

    private boolean isPoisoned(TaskSpec spec) {
        if (faults.poison() == null || spec.local() || !spec.operator().contains(faults.poison())) {
            return false;
        }
        poisoned.compareAndSet(-1, spec.first());
        return poisoned.get() == spec.first();
    }

    private void kill(ActorRef ref, FaultyActor actor, Runnable stop) {
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
        stop.run();
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
        if (faults.losesStarts()) {
            ActorRef ref = spec::id;
            kill(ref, actor, () -> {});
            return ref;
        }
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
        BlockSlice stored = LosableBlock.stored(CutBlock.uncut(slice));
        try {
            return below.get(stored);
        } finally {
            stored.release();
        }
    }

    @Override
    public void close() {
        delivery.close();
        below.close();
    }
}
