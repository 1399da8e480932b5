package dev.millrace.internal.engine;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.exchange.MapShards;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.memory.SteppedMemory;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/// A runtime in which nothing happens until a test says so: each [Task#step] lets one task emit a block, pause or end,
/// or one actor become ready. With a memory, a task needs some of it for each block, in several parts, and may have to
/// wait for it: then it looks again at each step. One thread.
final class FakeRuntime implements Runtime {
    final AtomicLong living = new AtomicLong();
    final Map<Long, Task> tasks = new LinkedHashMap<>();
    final Map<Long, Actor> actors = new LinkedHashMap<>();
    /// Everything that was submitted, by operator.
    final List<TaskSpec> submitted = new ArrayList<>();
    boolean keepsSubmitted = true;
    /// Whether it looks at each task that comes to a node if there is room.
    boolean checksNodes = true;
    /// Whether tasks may wait at a node behind others.
    boolean mayQueue;
    /// Queued tasks that were asked back before they had begun.
    int recalls;
    /// Bytes of a block by its rows.
    LongUnaryOperator bytes = rows -> rows * 8;
    /// Null if there is enough.
    SteppedMemory memory;
    /// What a part of a block takes of it, and how many parts a block has.
    long heldPart = 1;

    int heldParts = 2;

    /// By the first attempt of a task.
    private final Map<Long, Integer> losses = new HashMap<>();

    /// Actors in a row that were lost before they were ready.
    private int lostStarts;

    int actorsStarted;
    int actorsStopped;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Consumer<NodeEvent>> listeners = new ArrayList<>();

    final class Task {
        final TaskSpec spec;
        final Consumer<TaskEvent> events;
        final ArrayDeque<long[]> outputs;
        int credit;
        boolean toldPaused;
        boolean cancelled;
        /// Whether it waits behind another task, which has not ended.
        private boolean queued;
        /// It is asked back: it ends, if it has not begun by then.
        private boolean recalled;
        private final TaskReport report;
        private MemoryTurn turn;
        private SteppedMemory.Request request;
        private int parts;
        private boolean paused;
        private boolean makesRoom;
        private boolean seen;

        Task(TaskSpec spec, Consumer<TaskEvent> events) {
            this.spec = spec;
            this.events = events;
            this.credit = spec.credit();
            this.queued = spec.behind() != 0;
            this.outputs = new ArrayDeque<>(((FakePrograms.FakeProgram) spec.program())
                    .body()
                    .apply(spec.inputs().stream().map(FakeBlock::values).toList()));
            this.report = ((FakePrograms.FakeProgram) spec.program()).counts() ? counted() : TaskReport.EMPTY;
        }

        private TaskReport counted() {
            int rows = outputs.stream().mapToInt(block -> block.length).sum();
            MapShards told = new MapShards.Counted(new int[] {rows});
            return new TaskReport(0, 0, 0, 0, "local", Map.of(), List.of(), List.of(), told);
        }

        /// True the first time that it is asked.
        boolean isNew() {
            boolean first = !seen;
            seen = true;
            return first;
        }

        /// False while the task waits for credit, or in its actor's queue.
        boolean canStep() {
            if (cancelled) {
                return true;
            }
            if (isQueued()) {
                return recalled;
            }
            if (spec.actor() != null) {
                Actor actor = actors.get(spec.actor().id());
                if (actor != null && actor.calls.indexOf(this) >= actor.spec.concurrency()) {
                    return false;
                }
            }
            return outputs.isEmpty() || credit > 0 || !toldPaused || makesRoom;
        }

        boolean isQueued() {
            queued = queued && tasks.containsKey(spec.behind());
            return queued;
        }

        /// False if it still waits for memory.
        boolean step() {
            if (memory != null && turn == null) {
                turn = memory.begin(spec.account(), spec.first());
            }
            if (recalled && isQueued()) {
                recalls++;
                fail(new TaskCancelled(), false);
            } else if (cancelled) {
                end(new TaskEvent.Failed(spec.id(), new TaskCancelled(), false, TaskReport.EMPTY));
            } else if (outputs.isEmpty()) {
                end(new TaskEvent.Finished(spec.id(), report));
            } else if (credit > 0) {
                resume();
                if (memory != null && !hasMemory()) {
                    return request == null;
                }
                credit--;
                toldPaused = false;
                events.accept(new TaskEvent.BlockReady(spec.id(), made(outputs.poll())));
            } else if (makesRoom) {
                fail(turn.yields(), false);
            } else {
                toldPaused = true;
                paused = memory != null;
                if (paused) {
                    turn.pause(() -> makesRoom = true);
                }
                events.accept(new TaskEvent.Paused(spec.id()));
            }
            return true;
        }

        private void resume() {
            if (paused) {
                paused = false;
                makesRoom = false;
                turn.resume();
            }
        }

        /// Asks for the parts of its next block that it lacks. False if it waits for one; or has ended instead.
        private boolean hasMemory() {
            try {
                while (parts < heldParts) {
                    if (request == null) {
                        request = memory.ask(spec.account(), turn, heldPart);
                    }
                    if (request.isWaiting() && !request.look()) {
                        return false;
                    }
                    request = null;
                    parts++;
                }
                return true;
            } catch (MemoryYielded | MemoryRefused e) {
                request = null;
                fail(e, false);
                return false;
            }
        }

        private BlockRef made(long[] values) {
            if (memory == null) {
                return new FakeBlock(values, bytes.applyAsLong(values.length), living, spec.node());
            }
            parts = 0;
            return new FakeBlock(
                    values, bytes.applyAsLong(values.length), living, memory, spec.account(), heldParts * heldPart);
        }

        boolean isWaitingForMemory() {
            return request != null && !cancelled;
        }

        /// False once it was lost so often that the next time ends its run.
        boolean mayBeLost() {
            return losses.getOrDefault(spec.first(), 0) < 2;
        }

        void fail(Throwable cause, boolean lost) {
            if (lost && !(cause instanceof WorkerGone)) {
                losses.merge(spec.first(), 1, Integer::sum);
            }
            end(new TaskEvent.Failed(spec.id(), cause, lost, TaskReport.EMPTY));
        }

        private void end(TaskEvent last) {
            tasks.remove(spec.id());
            if (turn != null) {
                resume();
                if (request != null) {
                    request.leave();
                }
                if (parts > 0) {
                    memory.release(spec.account(), parts * heldPart);
                }
                turn.close();
            }
            if (spec.actor() != null && actors.containsKey(spec.actor().id())) {
                actors.get(spec.actor().id()).calls.remove(this);
            }
            events.accept(last);
        }

        /// All there is left of it.
        void run() {
            while (tasks.containsKey(spec.id()) && canStep()) {
                step();
            }
        }
    }

    final class Actor implements ActorRef {
        final ActorSpec spec;
        final Consumer<TaskEvent> events;
        final List<Task> calls = new ArrayList<>();
        boolean ready;
        boolean stopping;

        Actor(ActorSpec spec, Consumer<TaskEvent> events) {
            this.spec = spec;
            this.events = events;
        }

        @Override
        public long id() {
            return spec.id();
        }

        void becomeReady() {
            ready = true;
            lostStarts = 0;
            events.accept(new TaskEvent.ActorReady(spec.id()));
        }

        /// False if that would end its run.
        boolean mayBeLost() {
            return ready ? calls.stream().allMatch(Task::mayBeLost) : lostStarts < 2;
        }

        void fail(Throwable cause, boolean lost) {
            lostStarts += lost && !ready ? 1 : 0;
            actors.remove(spec.id());
            List.copyOf(calls).forEach(call -> call.fail(cause, true));
            events.accept(new TaskEvent.ActorFailed(spec.id(), cause, lost));
        }
    }

    BlockRef block(long[] values) {
        return new FakeBlock(values, bytes.applyAsLong(values.length), living);
    }

    List<Task> of(String operator) {
        return tasks.values().stream()
                .filter(t -> t.spec.operator().equals(operator))
                .toList();
    }

    long submittedTo(String operator) {
        return submitted.stream().filter(t -> t.operator().equals(operator)).count();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Resources capacity() {
        return Resources.cpus(4);
    }

    @Override
    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    @Override
    public void watchNodes(Consumer<NodeEvent> listener) {
        Runtime.super.watchNodes(listener);
        listeners.add(listener);
    }

    void join(Node node) {
        nodes.put(node.name(), node);
        listeners.forEach(listener -> listener.accept(new NodeEvent.Joined(node)));
    }

    /// False if the loss would end a run.
    boolean mayLose(Node node) {
        return tasksOn(node).allMatch(Task::mayBeLost) && actorsOn(node).allMatch(Actor::mayBeLost);
    }

    /// With all tasks and actors there; its blocks stay, as if they had been made again elsewhere.
    void lose(Node node) {
        nodes.remove(node.name());
        listeners.forEach(listener -> listener.accept(new NodeEvent.Lost(node.name())));
        actorsOn(node).toList().forEach(actor -> actor.fail(new IllegalStateException("lost with its node"), true));
        tasksOn(node).toList().forEach(task -> task.fail(new IllegalStateException("lost with its node"), true));
    }

    private Stream<Task> tasksOn(Node node) {
        return tasks.values().stream().filter(task -> node.name().equals(task.spec.node()));
    }

    private Stream<Actor> actorsOn(Node node) {
        return actors.values().stream().filter(actor -> node.name().equals(actor.spec.node()));
    }

    /// Fails when more is in use on a node than it has, by tasks that compute and by what actors keep.
    private void checkNode(String name) {
        if (!checksNodes) {
            return;
        }
        Node node = nodes.get(name);
        Resources used = Resources.NONE;
        for (Task task : tasksOn(node).toList()) {
            boolean computes = !(task.toldPaused && task.credit == 0) && !task.isQueued();
            used = computes ? used.plus(task.spec.resources()) : used;
        }
        for (Actor actor : actorsOn(node).toList()) {
            used = used.plus(actor.spec.resources().withoutCpus());
        }
        if (!used.fitsIn(node.resources())) {
            throw new AssertionError(used + " in use on " + node);
        }
    }

    @Override
    public boolean shipsPrograms() {
        return !nodes.isEmpty();
    }

    @Override
    public void submit(TaskSpec task, Consumer<TaskEvent> events) {
        if (memory != null
                && heldParts * heldPart * task.inputs().size() > memory.root().limit() / 4) {
            // Operators bound bundles by what blocks say that they take, and these take more.
            task.inputs().forEach(input -> input.block().maySpill());
        }
        Task made = new Task(task, events);
        tasks.put(task.id(), made);
        if (keepsSubmitted) {
            submitted.add(task);
        }
        if (task.node() != null && !nodes.containsKey(task.node())) {
            throw new AssertionError("sent to " + task.node() + ", which is gone");
        }
        if (task.node() != null) {
            checkNode(task.node());
        }
        if (task.actor() != null) {
            Actor actor = actors.get(task.actor().id());
            if (actor == null) {
                // Lost, and the engine does not know it yet.
                made.fail(new WorkerGone("the actor is gone"), true);
            } else {
                actor.calls.add(made);
            }
        }
    }

    @Override
    public void grant(long task, int blocks) {
        Task granted = tasks.get(task);
        if (granted != null) {
            granted.credit += blocks;
            if (granted.spec.node() != null && nodes.containsKey(granted.spec.node())) {
                checkNode(granted.spec.node());
            }
        }
    }

    @Override
    public void cancel(long task) {
        Task cancelled = tasks.get(task);
        if (cancelled != null) {
            cancelled.cancelled = true;
        }
    }

    @Override
    public boolean queuesTasks() {
        return shipsPrograms() && mayQueue;
    }

    @Override
    public void begin(long task) {
        Task begun = tasks.get(task);
        if (begun != null) {
            begun.queued = false;
            if (nodes.containsKey(begun.spec.node())) {
                checkNode(begun.spec.node());
            }
        }
    }

    @Override
    public void recall(long task) {
        Task recalled = tasks.get(task);
        if (recalled != null) {
            recalled.recalled = true;
        }
    }

    @Override
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        Actor made = new Actor(actor, events);
        actors.put(actor.id(), made);
        actorsStarted++;
        if (actor.node() != null) {
            checkNode(actor.node());
        }
        return made;
    }

    @Override
    public void stopActor(ActorRef actor) {
        actors.remove(actor.id());
        actorsStopped++;
    }

    @Override
    public BlockRef put(Block block) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Block get(BlockSlice slice) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
