package dev.millrace.internal.parquet.format;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes the page index of a column chunk in Thrift: the locations of its pages, and the bounds of each.
public final class PageIndexBytes {
    /// A page that was written.
    ///
    /// @param offset in the file
    /// @param compressedBytes including the header
    /// @param firstRow in the row group
    /// @param bounds null if there are none
    /// @param values the number of entries, including nulls
    public record Page(
            long offset,
            int compressedBytes,
            long firstRow,
            @Nullable WrittenBounds bounds,
            long values,
            long nulls) {
        boolean isNull() {
            return nulls == values;
        }
    }

    private PageIndexBytes() {}

    public static void offsets(List<Page> pages, ThriftWriter out) {
        out.begin();
        out.structs(1, pages.size());
        for (Page page : pages) {
            out.begin();
            out.i64(1, page.offset());
            out.i32(2, page.compressedBytes());
            out.i64(3, page.firstRow());
            out.end();
        }
        out.end();
    }

    /// Whether every page has bounds or only nulls: otherwise the format allows no column index.
    public static boolean hasBounds(List<Page> pages) {
        return pages.stream()
                .allMatch(page ->
                        page.isNull() || page.bounds() != null && page.bounds().max() != null);
    }

    /// @param pages which have bounds, see [#hasBounds]
    public static void bounds(List<Page> pages, ColumnIndex.Order order, ThriftWriter out) {
        int count = pages.size();
        boolean[] nothing = new boolean[count];
        byte[][] mins = new byte[count][];
        byte[][] maxs = new byte[count][];
        long[] nulls = new long[count];
        for (int i = 0; i < count; i++) {
            Page page = pages.get(i);
            nothing[i] = page.isNull();
            if (page.isNull()) {
                mins[i] = new byte[0];
                maxs[i] = new byte[0];
            } else {
                WrittenBounds bounds = Objects.requireNonNull(page.bounds(), "pages with values have bounds");
                mins[i] = bounds.min();
                maxs[i] = Objects.requireNonNull(bounds.max(), "pages with values have both bounds");
            }
            nulls[i] = page.nulls();
        }
        out.begin();
        out.bools(1, nothing);
        out.binaries(2, mins);
        out.binaries(3, maxs);
        out.i32(4, order.ordinal());
        out.i64s(5, nulls);
        out.end();
    }
}
