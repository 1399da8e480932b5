package dev.millrace.runtime;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.lifetime.Releasable;

/// Rows `from` to `from + rows` of a block in a store: a limit, a zip or a split cuts blocks without reading them. It
/// holds one reference to the block: the owner of the slice releases it once.
public record BlockSlice(BlockRef block, long from, long rows) implements Releasable {
    public BlockSlice {
        if (from < 0 || rows < 0 || from + rows > block.metadata().rows()) {
            throw MillraceException.internal("rows " + from + ".." + (from + rows) + " of a block of "
                    + block.metadata().rows());
        }
    }

    /// The whole block; takes over the caller's reference.
    public static BlockSlice whole(BlockRef block) {
        return new BlockSlice(block, 0, block.metadata().rows());
    }

    /// Whether it has all rows of its block.
    public boolean isWhole() {
        return from == 0 && rows == block.metadata().rows();
    }

    /// A part of this slice, with a reference of its own.
    public BlockSlice slice(long start, long count) {
        BlockSlice part = new BlockSlice(block, from + start, count);
        block.retain();
        return part;
    }

    /// Its share of the block's bytes, in proportion to the rows.
    public long sizeBytes() {
        long all = block.metadata().rows();
        return isWhole()
                ? block.metadata().sizeBytes()
                : (long) (block.metadata().sizeBytes() * ((double) rows / all));
    }

    /// Releases the reference to the block.
    @Override
    public void release() {
        block.release();
    }
}
