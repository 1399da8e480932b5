package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.block.BlockMetadata;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.ProgramEncoder;
import dev.millrace.internal.runtime.wire.ShippedProgram;
import dev.millrace.internal.runtime.wire.TaskInputs;
import dev.millrace.internal.runtime.wire.WireContext;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The driver side of a runtime whose workers share no object and no memory with it: programs, blocks, events, reports
/// and exceptions are sent as bytes in both directions. Subclasses transport the messages.
abstract class ShippingRuntime implements Runtime {
    private final Allocator driver;
    private final Resources capacity;
    private final EmbeddedRuntime local = new EmbeddedRuntime(Resources.NONE);
    private final Set<Stored> store = ConcurrentHashMap.newKeySet();
    private final Map<Long, Consumer<TaskEvent>> tasks = new ConcurrentHashMap<>();
    private final Map<Long, Consumer<TaskEvent>> actors = new ConcurrentHashMap<>();
    private final ProgramEncoder programs = new ProgramEncoder(FunctionCheck::refusal);
    private final Set<Long> shippedParts = new TreeSet<>();
    private volatile boolean closed;

    /// @param driver the account from which [#get] allocates blocks
    ShippingRuntime(Allocator driver, Resources capacity) {
        this.driver = driver;
        this.capacity = capacity;
    }

    /// Sends a message to the worker that it concerns.
    abstract void toWorker(WireMessage message);

    /// Sends a message to all workers.
    abstract void toWorkers(WireMessage message);

    /// Passes a message to [#handle], later and on another thread.
    abstract void toDriver(WireMessage message);

    private record RemoteActor(long id) implements ActorRef {}

    /// A serialised block on the driver side.
    private final class Stored extends BlockRef {
        private final BlockBytes bytes;
        private final String maker;

        Stored(BlockMetadata metadata, BlockBytes bytes, String maker) {
            super(metadata);
            this.bytes = bytes;
            this.maker = maker;
            store.add(this);
        }

        @Override
        protected void free() {
            store.remove(this);
        }

        @Override
        public String toString() {
            return metadata().rows() + " rows of " + maker;
        }
    }

    @Override
    public Resources capacity() {
        return capacity;
    }

    @Override
    public boolean shipsPrograms() {
        return true;
    }

    @Override
    public void submit(TaskSpec task, Consumer<TaskEvent> events) {
        requireOpen();
        if (tasks.putIfAbsent(task.id(), events) != null) {
            throw MillraceException.internal("task " + task.id() + " of " + task.operator() + " was submitted twice");
        }
        List<WireInput> inputs = task.inputs().stream()
                .<WireInput>map(slice -> new WireInput.Inline(bytesOf(slice)))
                .toList();
        if (task.local()) {
            submitHere(task, inputs);
            return;
        }
        ShippedProgram program;
        try {
            program = ship(task.operator(), task.program());
        } catch (MillraceException e) {
            toDriver(new WireMessage.Ended(task.id(), FailureBytes.encode(e), false, TaskReport.EMPTY));
            return;
        }
        toWorker(new WireMessage.Submit(
                task.id(),
                task.first(),
                task.operator(),
                program,
                task.actor() == null ? -1 : task.actor().id(),
                inputs,
                task.credit(),
                task.resources(),
                task.stage(),
                0));
    }

    /// Serialises a program; parts that are new are sent to all workers first.
    private synchronized ShippedProgram ship(String operator, Serializable program) {
        ShippedProgram shipped = programs.encode(operator, program);
        for (long part : shipped.parts()) {
            if (shippedParts.add(part)) {
                toWorkers(new WireMessage.ProgramPart(part, programs.part(part)));
            }
        }
        return shipped;
    }

    /// The parts that were sent so far, for a worker that is new.
    final synchronized List<WireMessage> shippedParts() {
        return shippedParts.stream()
                .<WireMessage>map(part -> new WireMessage.ProgramPart(part, programs.part(part)))
                .toList();
    }

    /// Runs a task that needs the driver's objects: the task is not shipped, but its inputs and outputs are serialised.
    private void submitHere(TaskSpec task, List<WireInput> inputs) {
        if (task.actor() != null) {
            throw MillraceException.internal("a local task cannot run in an actor of the worker");
        }
        TaskProgram program =
                context -> task.program().run(WireContext.of(context, inputs.size(), TaskInputs.ofMessage(inputs)));
        TaskSpec inner = new TaskSpec(
                task.id(),
                task.first(),
                task.operator(),
                program,
                null,
                List.of(),
                task.credit(),
                task.resources(),
                task.account(),
                false,
                null,
                task.stage());
        local.submit(inner, event -> {
            if (event instanceof TaskEvent.BlockReady ready) {
                deliver(new TaskEvent.BlockReady(task.id(), store(ready.block(), "task " + task.id())));
            } else {
                deliver(event);
            }
        });
    }

    private Stored store(BlockRef made, String maker) {
        try (Block block = local.get(BlockSlice.whole(made))) {
            return new Stored(made.metadata(), BlockBytes.encode(block, driver), maker);
        } finally {
            made.release();
        }
    }

    @Override
    public void grant(long task, int blocks) {
        local.grant(task, blocks);
        toWorker(new WireMessage.Grant(task, blocks));
    }

    @Override
    public void cancel(long task) {
        local.cancel(task);
        toWorker(new WireMessage.Cancel(task));
    }

    @Override
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        requireOpen();
        actors.put(actor.id(), events);
        try {
            ShippedProgram program = ship(actor.operator(), actor.program());
            toWorker(new WireMessage.StartActor(
                    actor.id(), actor.operator(), program, actor.resources(), actor.concurrency()));
        } catch (MillraceException e) {
            toDriver(new WireMessage.ActorState(actor.id(), FailureBytes.encode(e), false));
        }
        return new RemoteActor(actor.id());
    }

    @Override
    public void stopActor(ActorRef actor) {
        toWorker(new WireMessage.StopActor(actor.id()));
    }

    /// Handles a message of a worker; those about one task or actor arrive one after the other.
    final void handle(WireMessage message) {
        switch (message) {
            case WireMessage.Ready ready -> {
                byte[] stream = Objects.requireNonNull(ready.bytes(), "workers without a store send their blocks");
                BlockBytes bytes = new BlockBytes(stream, 0, ready.metadata().rows());
                deliver(new TaskEvent.BlockReady(
                        ready.task(), new Stored(ready.metadata(), bytes, "task " + ready.task())));
            }
            case WireMessage.Paused paused -> deliver(new TaskEvent.Paused(paused.task()));
            case WireMessage.Ended ended ->
                deliver(
                        ended.failure() == null
                                ? new TaskEvent.Finished(ended.task(), ended.report())
                                : new TaskEvent.Failed(
                                        ended.task(), thrown(ended.failure()), ended.workerLost(), ended.report()));
            case WireMessage.ActorState state ->
                receiver(actors.get(state.actor()), "actor " + state.actor())
                        .accept(
                                state.failure() == null
                                        ? new TaskEvent.ActorReady(state.actor())
                                        : new TaskEvent.ActorFailed(
                                                state.actor(), thrown(state.failure()), state.workerLost()));
            default -> throw new IllegalStateException("not for this driver: " + message);
        }
    }

    private static Throwable thrown(byte[] failure) {
        return FailureBytes.decode(failure, Thread.currentThread().getContextClassLoader());
    }

    private void deliver(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady ready -> deliver(tasks.get(ready.task()), event);
            case TaskEvent.Paused paused -> deliver(tasks.get(paused.task()), event);
            case TaskEvent.Finished finished -> deliver(tasks.remove(finished.task()), event);
            case TaskEvent.Failed failed -> deliver(tasks.remove(failed.task()), event);
            case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ ->
                throw new IllegalStateException("an actor in the driver: " + event);
        }
    }

    private static void deliver(@Nullable Consumer<TaskEvent> receiver, TaskEvent event) {
        receiver(receiver, "a task").accept(event);
    }

    private static Consumer<TaskEvent> receiver(@Nullable Consumer<TaskEvent> known, String of) {
        if (known == null) {
            throw new IllegalStateException("an event of " + of + " that has ended or was never begun");
        }
        return known;
    }

    @Override
    public BlockRef put(Block block) {
        requireOpen();
        try (block) {
            return new Stored(BlockMetadata.of(block), BlockBytes.encode(block, driver), "put()");
        }
    }

    @Override
    public Block get(BlockSlice slice) {
        return bytesOf(slice).decode(driver);
    }

    private static BlockBytes bytesOf(BlockSlice slice) {
        if (slice.block() instanceof Stored stored) {
            return stored.bytes.part(slice.from(), slice.rows());
        }
        throw MillraceException.internal("a block of another runtime came to this one: " + slice.block());
    }

    /// The number of blocks in the store, for tests that look for leaks before the end.
    public int storedBlocks() {
        return store.size();
    }

    /// Ends the workers.
    ///
    /// @return the memory that they did not release
    abstract List<RuntimeException> closeWorkers();

    /// Ends the workers and checks for leaks.
    ///
    /// @throws IllegalStateException when references or memory were not released, naming the holders
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<RuntimeException> leaks = closeWorkers();
        local.close();
        String left = store.isEmpty() ? "" : "; blocks whose references were not released: " + store;
        if (!leaks.isEmpty() || !store.isEmpty()) {
            StringBuilder message = new StringBuilder("The " + name() + " runtime was closed with something left");
            leaks.forEach(leak -> message.append("; ").append(leak.getMessage()));
            IllegalStateException error =
                    new IllegalStateException(message.append(left).toString());
            leaks.forEach(error::addSuppressed);
            throw error;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.internal("the " + name() + " runtime is closed");
        }
    }
}
