package dev.millrace.internal.transform;

/// Where a task is in its input: the split or block, and the rows of the chunk at work. Written by the chain, read by
/// steps that report an error; one thread.
public final class InputPosition {
    private String origin = "";
    private long firstRow;
    private long rows;

    /// A new split or input block begins.
    ///
    /// @param first number of its first row in the origin
    public void enter(String newOrigin, long first) {
        origin = newOrigin;
        firstRow = first;
        rows = 0;
    }

    /// The next chunk of it, of `chunkRows` rows.
    public void advance(long chunkRows) {
        firstRow += rows;
        rows = chunkRows;
    }

    public long firstRow() {
        return firstRow;
    }

    /// Rows of the chunk at work.
    public long rows() {
        return rows;
    }

    public String origin() {
        return origin;
    }

    /// "part-3.parquet, rows 1024-2047"
    @Override
    public String toString() {
        return range(firstRow, rows);
    }

    /// The same for other rows of the same origin; "row 7" when it is one.
    public String range(long first, long count) {
        return origin + (count == 1 ? ", row " + first : ", rows " + first + "-" + Math.max(first, first + count - 1));
    }
}
