package dev.millrace.block;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// Consecutive rows of a block that were read from one file: for errors.
///
/// @param name of the file in errors
/// @param firstRow number of the first of them there
public record RowOrigin(String name, long firstRow, long rows) implements Serializable {
    /// Those of `rows` rows from `from` on; fewer where no more is known.
    public static List<RowOrigin> slice(List<RowOrigin> origins, long from, long rows) {
        List<RowOrigin> slice = new ArrayList<>();
        long start = 0;
        for (RowOrigin origin : origins) {
            long first = Math.max(from, start);
            long end = Math.min(from + rows, start + origin.rows);
            if (first < end) {
                slice.add(new RowOrigin(origin.name, origin.firstRow + first - start, end - first));
            }
            start += origin.rows;
        }
        return slice;
    }
}
