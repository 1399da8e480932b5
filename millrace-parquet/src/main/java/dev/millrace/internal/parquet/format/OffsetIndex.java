package dev.millrace.internal.parquet.format;

import java.util.Arrays;
import java.util.List;

/// The offset index: the locations of a column chunk's data pages and the first row of each. A page begins with a row,
/// also if rows have several values.
public final class OffsetIndex {
    private final long[] offsets;
    private final int[] bytes;
    private final long[] firstRows;
    private final long rows;

    private OffsetIndex(long[] offsets, int[] bytes, long[] firstRows, long rows) {
        this.offsets = offsets;
        this.bytes = bytes;
        this.firstRows = firstRows;
        this.rows = rows;
    }

    /// @param chunk the chunk of the pages
    /// @param rows of the row group
    /// @throws MalformedParquet if the bytes are not an offset index, or one of another column chunk
    public static OffsetIndex read(byte[] data, ColumnChunk chunk, long rows) {
        ThriftReader in = new ThriftReader(data, 0, data.length);
        List<long[]> pages = List.of();
        in.beginStruct();
        while (in.nextField()) {
            if (in.fieldId() == 1) {
                pages = in.structs(OffsetIndex::location);
            } else {
                in.skip();
            }
        }
        long[] offsets = new long[pages.size()];
        int[] bytes = new int[pages.size()];
        long[] firstRows = new long[pages.size()];
        long end = chunk.start();
        long row = -1;
        for (int i = 0; i < offsets.length; i++) {
            long[] page = pages.get(i);
            boolean inOrder = page[0] >= end && page[1] > 0 && page[1] <= Integer.MAX_VALUE && page[2] > row;
            if (!inOrder || page[2] >= rows || i == 0 && page[2] != 0) {
                throw new MalformedParquet("its offset index is damaged at page " + i);
            }
            offsets[i] = page[0];
            bytes[i] = (int) page[1];
            firstRows[i] = page[2];
            end = page[0] + page[1];
            row = page[2];
        }
        if (end > chunk.start() + chunk.compressedBytes() || offsets.length == 0) {
            throw new MalformedParquet("its offset index leads beyond the column");
        }
        return new OffsetIndex(offsets, bytes, firstRows, rows);
    }

    private static long[] location(ThriftReader in) {
        ThriftFields fields = new ThriftFields(in, 4);
        return new long[] {fields.i64(1, 0), fields.i64(2, 0), fields.i64(3, 0)};
    }

    public int pages() {
        return offsets.length;
    }

    /// The file position of the page's header.
    public long offset(int page) {
        return offsets[page];
    }

    /// The file position after the page.
    public long end(int page) {
        return offsets[page] + bytes[page];
    }

    public long firstRow(int page) {
        return firstRows[page];
    }

    /// The row after the page's last one.
    public long endRow(int page) {
        return page + 1 < firstRows.length ? firstRows[page + 1] : rows;
    }

    public int pageOf(long row) {
        int found = Arrays.binarySearch(firstRows, row);
        return found >= 0 ? found : -found - 2;
    }
}
