package dev.millrace.internal.runtime.embedded;

import dev.millrace.block.Block;
import dev.millrace.block.BlockMetadata;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// A reference that is the block itself. The store is the set of those that are not freed yet.
final class EmbeddedBlock extends BlockRef {
    private final Block block;
    private final Set<EmbeddedBlock> store;
    private final AtomicBoolean freed = new AtomicBoolean();

    private EmbeddedBlock(Block block, Set<EmbeddedBlock> store) {
        super(BlockMetadata.of(block));
        this.block = block;
        this.store = store;
    }

    static EmbeddedBlock in(Set<EmbeddedBlock> store, Block block) {
        EmbeddedBlock ref = new EmbeddedBlock(block, store);
        store.add(ref);
        return ref;
    }

    /// The rows of the slice as a further holder of the same memory.
    static Block rows(BlockSlice slice) {
        if (!(slice.block() instanceof EmbeddedBlock ref)) {
            throw MillraceException.internal("a block of another runtime came to the embedded one: "
                    + slice.block().getClass().getSimpleName());
        }
        return slice.isWhole() ? ref.block.retain() : ref.block.slice(slice.from(), slice.rows());
    }

    /// The caller is a holder, so the block is not freed meanwhile.
    @Override
    public void moveTo(Allocator account) {
        block.transferTo(account);
    }

    /// Also called for what is left when the runtime closes; a holder's later release then finds nothing to do.
    @Override
    protected void free() {
        if (freed.compareAndSet(false, true)) {
            store.remove(this);
            block.close();
        }
    }
}
