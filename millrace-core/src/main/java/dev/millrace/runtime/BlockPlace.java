package dev.millrace.runtime;

import java.io.Serializable;

/// What the rows of a block were read from, for errors.
///
/// @param origin what errors call it: "part-3.parquet"
/// @param firstRow number of the block's first row there
public record BlockPlace(String origin, long firstRow) implements Serializable {
    /// The place of the rows from `row` of the block on.
    public BlockPlace from(long row) {
        return row == 0 ? this : new BlockPlace(origin, firstRow + row);
    }
}
