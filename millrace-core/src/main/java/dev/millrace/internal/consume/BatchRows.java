package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The rows of a batch: slices of blocks, which this holds. Of one slice the batch is a view, of several a copy.
record BatchRows(Allocator allocator, List<Block> parts) implements BatchMaker.Planned<Block> {
    @Override
    public Block make() {
        try {
            return Blocks.concatenate(allocator, parts);
        } finally {
            drop();
        }
    }

    @Override
    public void drop() {
        parts.forEach(Block::close);
    }
}
