package dev.millrace.block;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The metadata of a block, known without reading it: shipped with its reference.
///
/// @param sizeBytes exact bytes of its rows
/// @param origins the files that its rows were read from, in their order, if its task read several; else empty
/// @param aside the name of the side output that the block belongs to; null for a task's regular output
public record BlockMetadata(
        long rows,
        long sizeBytes,
        Schema schema,
        List<RowOrigin> origins,
        @Nullable String aside) implements Serializable {
    public BlockMetadata {
        origins = List.copyOf(origins);
    }

    /// For a block of the regular output.
    public BlockMetadata(long rows, long sizeBytes, Schema schema, List<RowOrigin> origins) {
        this(rows, sizeBytes, schema, origins, null);
    }

    /// For a block whose rows have no known origin.
    public static BlockMetadata of(Block block) {
        return of(block, List.of(), null);
    }

    /// For a block with the origin of its rows.
    public static BlockMetadata of(Block block, List<RowOrigin> origins, @Nullable String aside) {
        return new BlockMetadata(block.rows(), block.sizeBytes(), block.schema(), origins, aside);
    }
}
