package dev.millrace.internal.runtime.embedded;

import dev.millrace.block.Block;
import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.internal.spill.StoredBlock;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A reference that is the block itself, in memory or on disk. The store is the set of those that are not freed yet.
final class EmbeddedBlock extends BlockRef {
    private final StoredBlock block;
    private final Set<EmbeddedBlock> store;
    private final @Nullable BlockSpiller spiller;

    private EmbeddedBlock(
            Block block, BlockMetadata metadata, Set<EmbeddedBlock> store, @Nullable BlockSpiller spiller) {
        super(metadata);
        this.block = new StoredBlock(block);
        this.store = store;
        this.spiller = spiller;
    }

    /// @param spiller for blocks that may be spilled; null if none may
    static EmbeddedBlock in(
            Set<EmbeddedBlock> store,
            Block block,
            List<RowOrigin> origins,
            @Nullable String aside,
            @Nullable BlockSpiller spiller) {
        EmbeddedBlock ref = new EmbeddedBlock(block, BlockMetadata.of(block, origins, aside), store, spiller);
        store.add(ref);
        return ref;
    }

    /// The rows of the slice, with a reference of their own to the same memory; a spilled block is read back from disk.
    static Block rows(BlockSlice slice) {
        if (!(slice.block() instanceof EmbeddedBlock ref)) {
            throw MillraceException.internal("a block of another runtime came to the embedded one: "
                    + slice.block().getClass().getSimpleName());
        }
        return ref.block.rows(slice.from(), slice.rows());
    }

    /// The caller holds a reference, so the block is not freed meanwhile.
    @Override
    public String node() {
        return EmbeddedRuntime.NODE;
    }

    @Override
    public void moveTo(Allocator account) {
        block.moveTo(account);
    }

    @Override
    public void maySpill() {
        if (spiller != null) {
            block.offerTo(spiller);
        }
    }

    /// Also called for remaining blocks when the runtime closes; a later release of a holder then has no effect.
    @Override
    protected void free() {
        store.remove(this);
        block.free();
    }
}
