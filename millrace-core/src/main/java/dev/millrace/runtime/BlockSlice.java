package dev.millrace.runtime;

import dev.millrace.error.MillraceException;

/// Rows `from` to `from + rows` of a block in a store: how a limit, a zip or a split cuts blocks without touching
/// them. A holder of the reference: whoever has the slice releases it once.
public record BlockSlice(BlockRef block, long from, long rows) {
    public BlockSlice {
        if (from < 0 || rows < 0 || from + rows > block.metadata().rows()) {
            throw MillraceException.internal("rows " + from + ".." + (from + rows) + " of a block of "
                    + block.metadata().rows());
        }
    }

    /// The whole block; takes over the caller's hold on it.
    public static BlockSlice whole(BlockRef block) {
        return new BlockSlice(block, 0, block.metadata().rows());
    }

    /// Whether it has all rows of its block.
    public boolean isWhole() {
        return from == 0 && rows == block.metadata().rows();
    }

    /// A part of this slice as a further holder.
    public BlockSlice slice(long start, long count) {
        BlockSlice part = new BlockSlice(block, from + start, count);
        block.retain();
        return part;
    }

    /// The share of the block's bytes, by rows.
    public long sizeBytes() {
        long all = block.metadata().rows();
        return isWhole()
                ? block.metadata().sizeBytes()
                : (long) (block.metadata().sizeBytes() * ((double) rows / all));
    }

    /// Gives back the reference to the block.
    public void release() {
        block.release();
    }
}
