package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.internal.runtime.FailureBytes;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The worker of a [LoopbackRuntime]: it has its own threads and memory, and receives only bytes from the driver.
/// Inputs are decoded and outputs encoded on the thread of their task.
final class LoopbackWorker {
    static final String NODE = "loopback-worker";
    private static final long MEMORY = 4L << 30;

    private final EmbeddedRuntime threads = new EmbeddedRuntime(Resources.NONE);
    private final Allocator memory = Allocator.root(NODE, MEMORY);
    private final Allocator scratch = memory.child("outgoing blocks");
    private final Map<Long, ActorRef> actors = new ConcurrentHashMap<>();
    private final List<RuntimeException> leaks = new CopyOnWriteArrayList<>();
    private final Consumer<LoopbackMessage> driver;

    LoopbackWorker(Consumer<LoopbackMessage> driver) {
        this.driver = driver;
    }

    long heldBytes() {
        return memory.heldBytes();
    }

    /// Called by the single thread of the wire.
    void handle(LoopbackMessage message) {
        switch (message) {
            case LoopbackMessage.Submit submit -> submit(submit);
            case LoopbackMessage.Grant grant -> threads.grant(grant.task(), grant.blocks());
            case LoopbackMessage.Cancel cancel -> threads.cancel(cancel.task());
            case LoopbackMessage.StartActor start -> startActor(start);
            case LoopbackMessage.StopActor stop ->
                threads.stopActor(
                        Objects.requireNonNull(actors.get(stop.actor()), "it is started before it is stopped"));
            case LoopbackMessage.Ready _,
                    LoopbackMessage.Paused _,
                    LoopbackMessage.Ended _,
                    LoopbackMessage.ActorState _,
                    LoopbackMessage.Bye _ -> throw new IllegalStateException("not for a worker: " + message);
        }
    }

    private void submit(LoopbackMessage.Submit submit) {
        Allocator account = memory.child(submit.operator() + ", task " + submit.task());
        TaskProgram program = context -> {
            TaskProgram own = ObjectBytes.decode(submit.program(), TaskProgram.class);
            own.run(new ShippedContext(context, submit.inputs()));
        };
        ActorRef actor = submit.actor() < 0 ? null : actors.get(submit.actor());
        threads.submit(
                new TaskSpec(
                        submit.task(),
                        submit.operator(),
                        program,
                        actor,
                        List.of(),
                        submit.credit(),
                        submit.resources(),
                        account,
                        false),
                event -> driver.accept(pack(event, account)));
    }

    private void startActor(LoopbackMessage.StartActor start) {
        ActorProgram program = new ShippedActor(start.program());
        ActorSpec spec =
                new ActorSpec(start.actor(), start.operator(), program, start.resources(), start.concurrency());
        actors.put(start.actor(), threads.startActor(spec, event -> driver.accept(pack(event, null))));
    }

    private LoopbackMessage pack(TaskEvent event, @Nullable Allocator account) {
        return switch (event) {
            case TaskEvent.BlockReady ready -> new LoopbackMessage.Ready(ready.task(), pack(ready.block()));
            case TaskEvent.Paused paused -> new LoopbackMessage.Paused(paused.task());
            case TaskEvent.Finished finished -> {
                settle(account);
                yield new LoopbackMessage.Ended(
                        finished.task(), null, false, LoopbackMessage.Report.of(finished.report(), NODE));
            }
            case TaskEvent.Failed failed -> {
                settle(account);
                yield new LoopbackMessage.Ended(
                        failed.task(),
                        FailureBytes.encode(failed.cause()),
                        failed.workerLost(),
                        LoopbackMessage.Report.of(failed.report(), NODE));
            }
            case TaskEvent.ActorReady ready -> new LoopbackMessage.ActorState(ready.actor(), null, false);
            case TaskEvent.ActorFailed failed ->
                new LoopbackMessage.ActorState(
                        failed.actor(), FailureBytes.encode(failed.cause()), failed.workerLost());
        };
    }

    private BlockBytes pack(BlockRef ref) {
        try (Block block = threads.get(BlockSlice.whole(ref))) {
            return BlockBytes.encode(block, ref.metadata(), scratch);
        } finally {
            ref.release();
        }
    }

    /// A task that has ended must hold no memory: its output is already serialised.
    private void settle(@Nullable Allocator account) {
        try {
            if (account != null) {
                account.close();
            }
        } catch (IllegalStateException leak) {
            leaks.add(leak);
        }
    }

    /// Ends the threads.
    ///
    /// @return the memory that was not released, by name; empty if there is none
    List<RuntimeException> close() {
        threads.close();
        List<RuntimeException> found = new ArrayList<>(leaks);
        for (Allocator account : List.of(scratch, memory)) {
            try {
                account.close();
            } catch (IllegalStateException leak) {
                found.add(leak);
            }
        }
        return found;
    }

    /// Decodes the program at its start and keeps it for the stop.
    private static final class ShippedActor implements ActorProgram {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;
        private transient @Nullable ActorProgram own;

        ShippedActor(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public Object start(ActorContext context) throws Exception {
            ActorProgram decoded = ObjectBytes.decode(bytes, ActorProgram.class);
            own = decoded;
            return decoded.start(context);
        }

        @Override
        public void stop(Object state) throws Exception {
            if (own != null) {
                own.stop(state);
            }
        }
    }
}
