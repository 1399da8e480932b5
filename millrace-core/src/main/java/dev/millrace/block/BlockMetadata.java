package dev.millrace.block;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;

/// What is known of a block without looking into it: travels with its reference.
///
/// @param sizeBytes exact bytes of its rows
public record BlockMetadata(long rows, long sizeBytes, Schema schema, List<String> inputFiles) implements Serializable {
    public BlockMetadata {
        inputFiles = List.copyOf(inputFiles);
    }

    public static BlockMetadata of(Block block) {
        return new BlockMetadata(block.rows(), block.sizeBytes(), block.schema(), List.of());
    }
}
