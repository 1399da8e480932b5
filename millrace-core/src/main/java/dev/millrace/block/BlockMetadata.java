package dev.millrace.block;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;

/// What is known of a block without looking into it: travels with its reference.
///
/// @param sizeBytes exact bytes of its rows
/// @param aside the name of the side output that the block belongs to; null for a task's output proper
public record BlockMetadata(long rows, long sizeBytes, Schema schema, List<String> inputFiles, String aside)
        implements Serializable {
    public BlockMetadata {
        inputFiles = List.copyOf(inputFiles);
    }

    public BlockMetadata(long rows, long sizeBytes, Schema schema, List<String> inputFiles) {
        this(rows, sizeBytes, schema, inputFiles, null);
    }

    public static BlockMetadata of(Block block) {
        return of(block, null);
    }

    public static BlockMetadata of(Block block, String aside) {
        return new BlockMetadata(block.rows(), block.sizeBytes(), block.schema(), List.of(), aside);
    }
}
