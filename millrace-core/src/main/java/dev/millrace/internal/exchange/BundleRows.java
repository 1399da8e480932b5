package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// The rows of a bundle as blocks of one schema, which it holds until they were narrowed or it is closed.
final class BundleRows implements AutoCloseable {
    private final Schema schema;
    private final long rows;
    private final long bytes;
    private List<Block> blocks;

    private BundleRows(List<Block> blocks) {
        this.blocks = blocks;
        this.schema = blocks.getFirst().schema();
        this.rows = blocks.stream().mapToLong(Block::rows).sum();
        this.bytes = blocks.stream().mapToLong(Block::sizeBytes).sum();
    }

    /// A block that its holder keeps.
    static BundleRows of(Block block) {
        return new BundleRows(List.of(block.retain()));
    }

    /// Takes ownership of the blocks, at least one; those of different schemas are concatenated under their common one.
    static BundleRows of(Allocator allocator, List<Block> blocks) {
        Schema first = blocks.getFirst().schema();
        if (blocks.stream().allMatch(block -> block.schema().equals(first))) {
            return new BundleRows(new ArrayList<>(blocks));
        }
        try {
            return new BundleRows(List.of(Blocks.concatenate(allocator, blocks)));
        } finally {
            blocks.forEach(Block::close);
        }
    }

    Schema schema() {
        return schema;
    }

    long rows() {
        return rows;
    }

    long sizeBytes() {
        return bytes;
    }

    List<Block> blocks() {
        return blocks;
    }

    /// The keys of all rows, as a block that the caller closes.
    Block keys(Allocator allocator, List<SortKey> keys) {
        List<Block> keyed = new ArrayList<>();
        try {
            for (Block block : blocks) {
                keyed.add(NarrowRows.keys(allocator, block, schema, keys));
            }
            return Blocks.concatenate(allocator, keyed);
        } finally {
            keyed.forEach(Block::close);
        }
    }

    /// The rows as [NarrowRows], as a block that the caller closes. Releases the original blocks.
    Block narrow(Allocator allocator) {
        Block narrow = NarrowRows.of(allocator, blocks);
        close();
        return narrow;
    }

    @Override
    public void close() {
        List<Block> held = blocks;
        blocks = List.of();
        held.forEach(Block::close);
    }
}
