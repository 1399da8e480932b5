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
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/// A runtime in which nothing happens until a test says so: each [#step] lets one task emit a block, pause or end, or
/// one actor become ready. With a memory, a task needs some of it for each block, in several parts, and may have to
/// wait for it: then it looks again at each step. One thread.
final class FakeRuntime implements Runtime {
    final AtomicLong living = new AtomicLong();
    final Map<Long, Task> tasks = new LinkedHashMap<>();
    final Map<Long, Actor> actors = new LinkedHashMap<>();
    /// Everything that was submitted, by operator.
    final List<TaskSpec> submitted = new ArrayList<>();
    boolean keepsSubmitted = true;
    /// Bytes of a block by its rows.
    LongUnaryOperator bytes = rows -> rows * 8;
    /// Null if there is enough.
    SteppedMemory memory;
    /// What a part of a block takes of it, and how many parts a block has.
    long heldPart = 1;

    int heldParts = 2;

    int actorsStarted;
    int actorsStopped;

    final class Task {
        final TaskSpec spec;
        final Consumer<TaskEvent> events;
        final ArrayDeque<long[]> outputs;
        int credit;
        boolean toldPaused;
        boolean cancelled;
        private final TaskReport report;
        private MemoryTurn turn;
        private SteppedMemory.Request request;
        private int parts;
        private boolean paused;
        private boolean makesRoom;

        Task(TaskSpec spec, Consumer<TaskEvent> events) {
            this.spec = spec;
            this.events = events;
            this.credit = spec.credit();
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

        /// False while the task waits for credit, or in its actor's queue.
        boolean canStep() {
            if (cancelled) {
                return true;
            }
            if (spec.actor() != null) {
                Actor actor = actors.get(spec.actor().id());
                if (actor != null && actor.calls.indexOf(this) >= actor.spec.concurrency()) {
                    return false;
                }
            }
            return outputs.isEmpty() || credit > 0 || !toldPaused || makesRoom;
        }

        /// False if it still waits for memory.
        boolean step() {
            if (memory != null && turn == null) {
                turn = memory.begin(spec.account(), spec.first());
            }
            if (cancelled) {
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
                return block(values);
            }
            parts = 0;
            return new FakeBlock(
                    values, bytes.applyAsLong(values.length), living, memory, spec.account(), heldParts * heldPart);
        }

        boolean isWaitingForMemory() {
            return request != null && !cancelled;
        }

        void fail(Throwable cause, boolean lost) {
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
            events.accept(new TaskEvent.ActorReady(spec.id()));
        }

        void fail(Throwable cause, boolean lost) {
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
        return List.of();
    }

    @Override
    public boolean shipsPrograms() {
        return false;
    }

    @Override
    public void submit(TaskSpec task, Consumer<TaskEvent> events) {
        if (memory != null
                && task.inputs().size() * heldParts * heldPart > memory.root().limit() / 4) {
            // Operators bound bundles by what blocks say that they take, and these take more.
            task.inputs().forEach(input -> input.block().maySpill());
        }
        Task made = new Task(task, events);
        tasks.put(task.id(), made);
        if (keepsSubmitted) {
            submitted.add(task);
        }
        if (task.actor() != null) {
            Actor actor = actors.get(task.actor().id());
            if (actor == null) {
                // Lost, and the engine does not know it yet.
                made.fail(new IllegalStateException("the actor is gone"), true);
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
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        Actor made = new Actor(actor, events);
        actors.put(actor.id(), made);
        actorsStarted++;
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
