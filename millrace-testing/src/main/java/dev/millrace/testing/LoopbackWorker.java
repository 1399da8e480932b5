package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.internal.fault.MissingClass;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.TaskInputs;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.runtime.wire.WorkerStore;
import dev.millrace.internal.runtime.wire.WorkerTasks;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The worker of a [LoopbackRuntime]: it has its own threads and memory, and receives only bytes from the driver. It
/// keeps no blocks: they are in the messages, decoded and encoded on the threads of the tasks.
final class LoopbackWorker {
    static final String NODE = "loopback-worker";
    static final long MEMORY = 4L << 30;

    private final EmbeddedRuntime threads = new EmbeddedRuntime(Resources.NONE);
    private final Allocator memory = Allocator.root(NODE, MEMORY);
    private final Allocator scratch = memory.child("outgoing blocks");
    private final List<RuntimeException> leaks = new CopyOnWriteArrayList<>();
    private final ClassLoader loader = new WorkerClasses(Thread.currentThread().getContextClassLoader());
    private final WorkerTasks tasks;

    LoopbackWorker(Consumer<WireMessage> driver) {
        this.tasks = new WorkerTasks(threads, new MessageBlocks(), NODE, () -> loader, () -> 1, driver);
    }

    long heldBytes() {
        return memory.heldBytes();
    }

    /// Called by the single thread of the wire.
    void handle(WireMessage message) {
        if (!tasks.handle(message)) {
            throw new IllegalStateException("not for a worker without blocks: " + message);
        }
    }

    private final class MessageBlocks implements WorkerStore {
        @Override
        public Allocator account(WireMessage.Submit task) {
            return memory.child(task.operator() + ", task " + task.task());
        }

        /// A task that has ended must hold no memory: its output is already serialised.
        @Override
        public void ended(WireMessage.Submit task, Allocator account) {
            try {
                account.close();
            } catch (IllegalStateException leak) {
                leaks.add(leak);
            }
        }

        @Override
        public @Nullable BlockSlice local(WireInput input) {
            return null;
        }

        @Override
        public TaskInputs open(List<WireInput> inputs) {
            return TaskInputs.ofMessage(inputs);
        }

        @Override
        public WireMessage.Ready ready(WireMessage.Submit task, BlockRef made, Allocator account) {
            try (Block block = threads.get(BlockSlice.whole(made))) {
                byte[] stream = BlockBytes.encode(block, scratch).stream();
                return new WireMessage.Ready(task.task(), made.metadata(), -1, stream, null);
            } finally {
                made.release();
            }
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

    /// The classes of this process, as those that a worker was sent.
    private static final class WorkerClasses extends ClassLoader implements MissingClass.SentCode {
        WorkerClasses(ClassLoader parent) {
            super(NODE, parent);
        }

        @Override
        public String worker() {
            return NODE;
        }
    }
}
