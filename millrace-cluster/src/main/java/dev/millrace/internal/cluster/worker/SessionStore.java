package dev.millrace.internal.cluster.worker;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.link.BlockNumbers;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.link.BlockSource;
import dev.millrace.internal.cluster.shuffle.ShuffleFiles;
import dev.millrace.internal.cluster.shuffle.ShuffleFolder;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.internal.runtime.wire.TaskInputs;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.runtime.wire.WorkerStore;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The blocks that one driver has in this worker: those that its tasks made here, and copies of others that several
/// tasks want. All may be spilled. Small ones are sent to the driver instead. Thread-safe.
final class SessionStore implements WorkerStore, BlockSource {
    /// Blocks below this size travel in the message that tells of them.
    private static final long SMALL = 64 << 10;

    private final EmbeddedRuntime threads;
    private final StageAccounts accounts;
    private final Allocator serving;
    private final SharedCopies copies;
    private final Function<String, BlockPeer> peers;
    private final Map<Long, BlockRef> blocks = new ConcurrentHashMap<>();
    private final int index;
    private final Supplier<@Nullable ShuffleFolder> shuffles;
    private final AtomicLong numbered;
    private volatile boolean closed;

    /// @param serving the account of what is read back to be served
    /// @param peers the peer of each node; the driver's is that of the empty name
    /// @param shuffles where blocks of shuffles are written; null: they stay here
    SessionStore(
            EmbeddedRuntime threads,
            StageAccounts accounts,
            Allocator serving,
            int index,
            Function<String, BlockPeer> peers,
            Supplier<@Nullable ShuffleFolder> shuffles) {
        this.threads = threads;
        this.accounts = accounts;
        this.serving = serving;
        this.copies = new SharedCopies(threads, serving);
        this.peers = peers;
        this.index = index;
        this.shuffles = shuffles;
        this.numbered = new AtomicLong(BlockNumbers.before(index));
    }

    @Override
    public Allocator account(WireMessage.Submit task) {
        return accounts.enter(task.stage());
    }

    @Override
    public void ended(WireMessage.Submit task, Allocator account) {
        accounts.leave(task.stage());
    }

    @Override
    public @Nullable BlockSlice local(WireInput input) {
        if (!(input instanceof WireInput.Stored stored)) {
            return null;
        }
        BlockRef block = blocks.get(stored.number());
        return block == null ? null : new BlockSlice(block, stored.from(), stored.rows());
    }

    @Override
    public TaskInputs open(List<WireInput> inputs) {
        return new FetchedInputs(inputs, peers, copies, shuffles.get(), number -> blocks.containsKey(number));
    }

    @Override
    public WireMessage.Ready ready(WireMessage.Submit task, BlockRef made, Allocator account) {
        if (made.metadata().aside() == null && made.metadata().sizeBytes() >= SMALL) {
            long number = numbered.incrementAndGet();
            ShuffleFolder files = task.stage().shuffles() ? shuffles.get() : null;
            if (files != null) {
                ShardFile file = write(files, number, made, account);
                return new WireMessage.Ready(task.task(), made.metadata(), number, null, file);
            }
            made.maySpill();
            blocks.put(number, made);
            return new WireMessage.Ready(task.task(), made.metadata(), number, null, null);
        }
        try (Block block = threads.get(BlockSlice.whole(made))) {
            byte[] stream = BlockBytes.encode(block, account).stream();
            return new WireMessage.Ready(task.task(), made.metadata(), -1, stream, null);
        } finally {
            made.release();
        }
    }

    /// Takes over the reference.
    private ShardFile write(ShuffleFolder files, long number, BlockRef made, Allocator account) {
        try (Block block = threads.get(BlockSlice.whole(made))) {
            return files.write(ShuffleFiles.name(index, number), block, account);
        } finally {
            made.release();
        }
    }

    /// Rows for a peer or the driver. A block that was spilled is read back by a turn of its own, before the waiting
    /// tasks of this worker; the turn ends before the rows are sent, for that may take as long as it takes.
    @Override
    public Block rows(long number, long from, long rows) {
        BlockRef block = blocks.get(number);
        if (block == null || !block.tryRetain()) {
            // Read after the look: blocks leave when this is set.
            throw closed
                    ? new BlockGone("the worker has ended its part of the session")
                    : MillraceException.internal("block " + number + " is not, or no longer, in this worker");
        }
        try (MemoryTurn _ = serving.enter(0)) {
            return threads.get(new BlockSlice(block, from, rows));
        } finally {
            block.release();
        }
    }

    void release(List<Long> numbers) {
        for (long number : numbers) {
            BlockRef block = blocks.remove(number);
            if (block != null) {
                block.release();
            } else {
                copies.release(number);
            }
        }
        accounts.closeUnused();
    }

    /// Frees all blocks; no task runs any more.
    void close() {
        closed = true;
        for (long number : new ArrayList<>(blocks.keySet())) {
            release(List.of(number));
        }
        copies.close();
    }
}
