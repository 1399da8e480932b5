package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.block.BlockMetadata;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private volatile boolean closed;

    /// @param driver the account from which [#get] allocates blocks
    ShippingRuntime(Allocator driver, Resources capacity) {
        this.driver = driver;
        this.capacity = capacity;
    }

    /// Sends a message to the worker that it concerns.
    abstract void toWorker(LoopbackMessage message);

    /// Passes a message to [#handle], later and on another thread.
    abstract void toDriver(LoopbackMessage message);

    private record RemoteActor(long id) implements ActorRef {}

    /// A serialised block on the driver side.
    private final class Stored extends BlockRef {
        private final BlockBytes bytes;
        private final String maker;

        Stored(BlockBytes bytes, String maker) {
            super(bytes.metadata());
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
        List<BlockBytes> inputs =
                task.inputs().stream().map(ShippingRuntime::bytesOf).toList();
        if (task.local()) {
            submitHere(task, inputs);
            return;
        }
        byte[] program;
        try {
            program = ObjectBytes.encode(task.operator(), task.program());
        } catch (MillraceException e) {
            toDriver(new LoopbackMessage.Ended(
                    task.id(), FailureBytes.encode(e), false, LoopbackMessage.Report.of(TaskReport.EMPTY, "driver")));
            return;
        }
        toWorker(new LoopbackMessage.Submit(
                task.id(),
                task.operator(),
                program,
                task.actor() == null ? -1 : task.actor().id(),
                inputs,
                task.credit(),
                task.resources()));
    }

    /// Runs a task that needs the driver's objects: the task is not shipped, but its inputs and outputs are serialised.
    private void submitHere(TaskSpec task, List<BlockBytes> inputs) {
        if (task.actor() != null) {
            throw MillraceException.internal("a local task cannot run in an actor of the worker");
        }
        TaskProgram program = context -> task.program().run(new ShippedContext(context, inputs));
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
                false);
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
            return new Stored(BlockBytes.encode(block, made.metadata(), driver), maker);
        } finally {
            made.release();
        }
    }

    @Override
    public void grant(long task, int blocks) {
        local.grant(task, blocks);
        toWorker(new LoopbackMessage.Grant(task, blocks));
    }

    @Override
    public void cancel(long task) {
        local.cancel(task);
        toWorker(new LoopbackMessage.Cancel(task));
    }

    @Override
    public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
        requireOpen();
        actors.put(actor.id(), events);
        try {
            byte[] program = ObjectBytes.encode(actor.operator(), actor.program());
            toWorker(new LoopbackMessage.StartActor(
                    actor.id(), actor.operator(), program, actor.resources(), actor.concurrency()));
        } catch (MillraceException e) {
            toDriver(new LoopbackMessage.ActorState(actor.id(), FailureBytes.encode(e), false));
        }
        return new RemoteActor(actor.id());
    }

    @Override
    public void stopActor(ActorRef actor) {
        toWorker(new LoopbackMessage.StopActor(actor.id()));
    }

    /// Handles a message of a worker; those about one task or actor arrive one after the other.
    final void handle(LoopbackMessage message) {
        switch (message) {
            case LoopbackMessage.Ready ready ->
                deliver(new TaskEvent.BlockReady(ready.task(), new Stored(ready.block(), "task " + ready.task())));
            case LoopbackMessage.Paused paused -> deliver(new TaskEvent.Paused(paused.task()));
            case LoopbackMessage.Ended ended ->
                deliver(
                        ended.failure() == null
                                ? new TaskEvent.Finished(
                                        ended.task(), ended.report().unpack())
                                : new TaskEvent.Failed(
                                        ended.task(),
                                        thrown(ended.failure()),
                                        ended.workerLost(),
                                        ended.report().unpack()));
            case LoopbackMessage.ActorState state ->
                receiver(actors.get(state.actor()), "actor " + state.actor())
                        .accept(
                                state.failure() == null
                                        ? new TaskEvent.ActorReady(state.actor())
                                        : new TaskEvent.ActorFailed(
                                                state.actor(), thrown(state.failure()), state.workerLost()));
            case LoopbackMessage.Submit _,
                    LoopbackMessage.Grant _,
                    LoopbackMessage.Cancel _,
                    LoopbackMessage.StartActor _,
                    LoopbackMessage.StopActor _,
                    LoopbackMessage.Bye _ -> throw new IllegalStateException("not for a driver: " + message);
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
            return new Stored(BlockBytes.encode(block, BlockMetadata.of(block), driver), "put()");
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
