package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.prune.RowRanges;

/// Which rows of a row group will be read, and where the pages of its columns that hold them lie.
record WantedPages(RowRanges rows, PageIndex index) {
    /// Null where it is not known where a column's pages lie.
    Run of(int column) {
        OffsetIndex places = index.places(column);
        return places == null ? null : new Run(rows, places);
    }

    /// The pages of one column.
    record Run(RowRanges rows, OffsetIndex places) {
        /// Where the bytes end that will be read from this page on without a gap.
        long windowEnd(int page) {
            int last = page;
            while (last < places.pages() && rows.overlaps(places.firstRow(last), places.endRow(last))) {
                last++;
            }
            return last == page ? places.offset(page) : places.end(last - 1);
        }
    }
}
