package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;

/// Blocks of datasets that the program itself has the rows of.
final class ProgramBlocks {
    private ProgramBlocks() {}

    /// Copies of the batches' rows, with columns of their common types; the caller closes them.
    static List<Block> copyOf(List<Batch> batches, Allocator memory) {
        List<Block> blocks = new ArrayList<>();
        try (BatchScope scope = new BatchScope("fromBatches", memory)) {
            batches.forEach(batch -> blocks.add(scope.toBlock(batch)));
            Schema schema =
                    blocks.stream().map(Block::schema).reduce(Types::unify).orElse(Schema.empty());
            List<Block> alike = new ArrayList<>();
            blocks.forEach(block -> alike.add(Blocks.widen(memory, block, schema)));
            return alike;
        } finally {
            blocks.forEach(Block::close);
        }
    }

    /// The schema that all of the blocks have.
    ///
    /// @throws MillraceException culprit USER, if there are none, or they differ
    static Schema schemaOf(List<Block> blocks) {
        if (blocks.isEmpty()) {
            throw MillraceException.user("There must be at least one block or batch: without one there is no schema.");
        }
        Schema schema = blocks.getFirst().schema();
        for (Block block : blocks) {
            if (!block.schema().equals(schema)) {
                throw MillraceException.user("fromBlocks: the blocks have different schemas, [" + schema + "] and ["
                        + block.schema() + "].");
            }
        }
        return schema;
    }
}
