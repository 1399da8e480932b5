package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Cuts a stream of blocks into pieces of any number of rows, in order and across block boundaries. A piece inside one
/// block is a view of it; only pieces across a boundary are copied. One thread.
final class BatchAssembler implements AutoCloseable {
    private final Allocator allocator;
    private final Deque<Block> blocks = new ArrayDeque<>();
    /// Rows of the first block that were already returned.
    private long taken;

    private long rows;

    BatchAssembler(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Takes ownership of the block.
    void add(Block block) {
        blocks.add(block);
        rows += block.rows();
    }

    /// The number of available rows.
    long rows() {
        return rows;
    }

    /// The next `count` rows, which must be available.
    BatchRows take(long count) {
        List<Block> parts = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            for (long missing = count; missing > 0; ) {
                Block first = blocks.getFirst();
                long part = Math.min(missing, first.rows() - taken);
                parts.add(scope.add(first.slice(taken, part)));
                missing -= part;
                taken += part;
                rows -= part;
                if (taken == first.rows()) {
                    blocks.removeFirst().close();
                    taken = 0;
                }
            }
            scope.keep();
            return new BatchRows(allocator, parts);
        }
    }

    @Override
    public void close() {
        blocks.forEach(Block::close);
        blocks.clear();
        rows = 0;
        taken = 0;
    }
}
