package dev.millrace.internal.transform;

import dev.millrace.block.RowOrigin;
import dev.millrace.runtime.BlockPlace;
import java.util.ArrayList;
import java.util.List;

/// The position of a task in its input: the split or block, and the rows of the current chunk. Written by the chain,
/// read by steps that report an error; one thread.
final class InputPosition {
    private String origin = "";
    private long firstRow;
    private long rows;
    /// The files of rows `filesFrom` to `filesTo` of the origin, if it is several files.
    private final List<RowOrigin> files = new ArrayList<>();

    private long filesFrom;
    private long filesTo;

    /// A new split or input block begins.
    ///
    /// @param first number of its first row in the origin
    public void enter(String newOrigin, long first) {
        origin = newOrigin;
        firstRow = first;
        rows = 0;
        forgetFiles(first);
    }

    /// A new input block begins, which may continue where the previous one ended.
    public void enter(BlockPlace place) {
        if (!place.origin().equals(origin) || place.firstRow() != filesTo) {
            forgetFiles(place.firstRow());
        }
        origin = place.origin();
        firstRow = place.firstRow();
        rows = 0;
        for (RowOrigin file : place.files()) {
            files.add(file);
            filesTo += file.rows();
        }
    }

    private void forgetFiles(long from) {
        files.clear();
        filesFrom = from;
        filesTo = from;
    }

    /// The next chunk of it, of `chunkRows` rows.
    public void advance(long chunkRows) {
        firstRow += rows;
        rows = chunkRows;
    }

    public long firstRow() {
        return firstRow;
    }

    /// The number of rows of the current chunk.
    public long rows() {
        return rows;
    }

    public String origin() {
        return origin;
    }

    /// The file that a row of the origin was read from, its number there, and how many rows follow it; the origin
    /// itself if no more is known.
    RowOrigin file(long row) {
        long start = filesFrom;
        for (RowOrigin file : files) {
            long in = row - start;
            if (in >= 0 && in < file.rows()) {
                return new RowOrigin(file.name(), file.firstRow() + in, file.rows() - in);
            }
            start += file.rows();
        }
        return new RowOrigin(origin, row, Long.MAX_VALUE);
    }

    /// "part-3.parquet, rows 1024-2047"
    @Override
    public String toString() {
        return range(firstRow, rows);
    }

    /// The same for other rows of the same origin; "row 7" when it is one.
    public String range(long first, long count) {
        RowOrigin begin = file(first);
        if (begin.rows() >= count) {
            return text(begin.name(), begin.firstRow(), count);
        }
        RowOrigin end = file(first + count - 1);
        return text(begin.name(), begin.firstRow(), 1) + " to " + text(end.name(), end.firstRow(), 1);
    }

    private static String text(String name, long first, long count) {
        return name + (count == 1 ? ", row " + first : ", rows " + first + "-" + Math.max(first, first + count - 1));
    }
}
