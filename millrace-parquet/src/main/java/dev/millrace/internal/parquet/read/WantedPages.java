package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.prune.RowRanges;
import org.jspecify.annotations.Nullable;

/// The rows of a row group that will be read, and the locations of the pages that contain them.
record WantedPages(RowRanges rows, PageIndex index) {
    /// Null if the locations of a column's pages are unknown.
    @Nullable
    Run of(int column) {
        OffsetIndex places = index.places(column);
        return places == null ? null : new Run(rows, places);
    }

    /// The pages of one column.
    record Run(RowRanges rows, OffsetIndex places) {
        /// The end of the bytes that will be read without a gap, starting at this page.
        long windowEnd(int page) {
            int last = page;
            while (last < places.pages() && rows.overlaps(places.firstRow(last), places.endRow(last))) {
                last++;
            }
            return last == page ? places.offset(page) : places.end(last - 1);
        }
    }
}
