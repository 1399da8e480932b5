package dev.millrace.runtime;

import dev.millrace.block.RowOrigin;
import java.io.Serializable;
import java.util.List;

/// What the rows of a block were read from, for errors.
///
/// @param origin its name in errors: "part-3.parquet"
/// @param firstRow number of the block's first row there
/// @param files of each row, if the origin is several files and that is known; else empty
public record BlockPlace(String origin, long firstRow, List<RowOrigin> files) implements Serializable {
    public BlockPlace {
        files = List.copyOf(files);
    }

    /// Rows with their numbers in what was read.
    public BlockPlace(String origin, long firstRow) {
        this(origin, firstRow, List.of());
    }

    /// The place of `count` rows from `row` of the block on.
    public BlockPlace rows(long row, long count) {
        return new BlockPlace(origin, firstRow + row, RowOrigin.slice(files, row, count));
    }
}
