package dev.millrace.block;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// Consecutive rows of a block that were read from one file: for errors.
///
/// @param name the name of the file in errors
/// @param firstRow the number of the first of these rows in the file
public record RowOrigin(String name, long firstRow, long rows) implements Serializable {
    /// The origins of `rows` rows starting at `from`; fewer if they are not known.
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
