package dev.millrace.testing;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a block of another runtime, in the form of a block of its own.
final class CutBlock extends BlockRef {
    private final BlockSlice part;

    private CutBlock(BlockSlice part) {
        super(new BlockMetadata(
                part.rows(),
                part.sizeBytes(),
                part.block().metadata().schema(),
                RowOrigin.slice(part.block().metadata().origins(), part.from(), part.rows()),
                part.block().metadata().aside()));
        this.part = part;
    }

    /// Splits the block into parts of `rows` rows (0: not at all); takes over the reference to it.
    static List<BlockRef> cut(BlockRef block, int rows) {
        if (rows == 0 || block.metadata().rows() <= rows) {
            return List.of(block);
        }
        BlockSlice whole = BlockSlice.whole(block);
        List<BlockRef> parts = new ArrayList<>();
        for (long from = 0; from < whole.rows(); from += rows) {
            parts.add(new CutBlock(whole.slice(from, Math.min(rows, whole.rows() - from))));
        }
        whole.release();
        return parts;
    }

    /// The slice in terms of the original block; takes no further reference.
    static BlockSlice uncut(BlockSlice slice) {
        return slice.block() instanceof CutBlock cut
                ? new BlockSlice(cut.part.block(), cut.part.from() + slice.from(), slice.rows())
                : slice;
    }

    @Override
    public @Nullable String node() {
        return part.block().node();
    }

    /// Moves the whole block: its parts share its memory.
    @Override
    public void moveTo(Allocator account) {
        part.block().moveTo(account);
    }

    @Override
    public void maySpill() {
        part.block().maySpill();
    }

    @Override
    protected void free() {
        part.release();
    }
}
