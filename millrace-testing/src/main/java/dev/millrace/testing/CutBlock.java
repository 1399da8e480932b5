package dev.millrace.testing;

import dev.millrace.block.BlockMetadata;
import dev.millrace.block.RowOrigin;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;

/// A part of another runtime's block that looks like a block of its own.
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

    /// The block in parts of so many rows (0: as it is); takes over the hold on it.
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

    /// The slice in terms of the block that was cut; no further hold.
    static BlockSlice uncut(BlockSlice slice) {
        return slice.block() instanceof CutBlock cut
                ? new BlockSlice(cut.part.block(), cut.part.from() + slice.from(), slice.rows())
                : slice;
    }

    /// The whole block moves: its parts share its memory.
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
