package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.ParallelCopy;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The rows of a batch: slices of blocks, which this holds. Of one slice the batch is a view, of several a copy, which
/// several threads make if it is large.
record BatchRows(Allocator allocator, List<Block> parts) implements BatchMaker.Planned<Block> {
    @Override
    public Block make() {
        try {
            return Blocks.concatenate(allocator, parts, ParallelCopy.shared());
        } finally {
            drop();
        }
    }

    @Override
    public void drop() {
        parts.forEach(Block::close);
    }
}
