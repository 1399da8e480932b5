package dev.millrace.testing;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A block of another runtime that is gone when its node is lost. Thread-safe.
final class LosableBlock extends BlockRef {
    private final BlockRef stored;
    private final String node;
    private final BlockNodes nodes;
    /// Guarded by its monitor: the reference to the block below is released.
    private boolean released;

    /// Takes the reference over.
    LosableBlock(BlockRef stored, String node, BlockNodes nodes) {
        super(stored.metadata());
        this.stored = stored;
        this.node = node;
        this.nodes = nodes;
    }

    /// The slice in terms of the runtime below, with a reference of its own; null if the block is lost.
    static @Nullable BlockSlice tryStored(BlockSlice slice) {
        if (!(slice.block() instanceof LosableBlock block)) {
            return slice.slice(0, slice.rows());
        }
        synchronized (block) {
            return block.released ? null : new BlockSlice(block.stored.retain(), slice.from(), slice.rows());
        }
    }

    /// The same.
    ///
    /// @throws BlocksLost if it is lost
    static BlockSlice stored(BlockSlice slice) {
        BlockSlice stored = tryStored(slice);
        if (stored == null) {
            throw lost(List.of(0));
        }
        return stored;
    }

    static BlocksLost lost(List<Integer> inputs) {
        return new BlocksLost("Its node was lost (on purpose).", inputs);
    }

    /// When this returns, nothing of it is held, whoever lost it: its last holder may close the account next.
    synchronized void lose() {
        if (!released) {
            released = true;
            stored.release();
        }
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public synchronized void moveTo(Allocator account) {
        if (!released) {
            stored.moveTo(account);
        }
    }

    @Override
    public synchronized void maySpill() {
        if (!released) {
            stored.maySpill();
        }
    }

    @Override
    protected void free() {
        nodes.freed(this);
        lose();
    }
}
