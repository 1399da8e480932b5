package dev.millrace.internal.parquet.format;

import org.jspecify.annotations.Nullable;

/// The column index: bounds of a column chunk's pages.
///
/// @param nullPages which pages contain only nulls; their bounds are meaningless
/// @param mins,maxs bounds in plain encoding, in the order of the column's type; they need not occur as values
/// @param order how the bounds of pages with values are ordered
/// @param nulls the null count of each page; null if they were not counted
public record ColumnIndex(boolean[] nullPages, byte[][] mins, byte[][] maxs, Order order, long @Nullable [] nulls) {
    /// In the format's numbering.
    public enum Order {
        UNORDERED,
        ASCENDING,
        DESCENDING
    }

    /// @throws MalformedParquet if the bytes are not a column index
    public static ColumnIndex read(byte[] data) {
        ThriftReader in = new ThriftReader(data, 0, data.length);
        boolean[] nullPages = {};
        byte[][] mins = {};
        byte[][] maxs = {};
        Order order = Order.UNORDERED;
        long[] nulls = null;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> nullPages = in.booleans();
                case 2 -> mins = in.binaries();
                case 3 -> maxs = in.binaries();
                case 4 -> order = order(in.i32());
                case 5 -> nulls = in.numbers();
                default -> in.skip();
            }
        }
        int pages = nullPages.length;
        if (mins.length != pages || maxs.length != pages || nulls != null && nulls.length != pages) {
            throw new MalformedParquet("its column index speaks of different numbers of pages");
        }
        return new ColumnIndex(nullPages, mins, maxs, order, nulls);
    }

    private static Order order(int number) {
        Order[] all = Order.values();
        if (number < 0 || number >= all.length) {
            throw new MalformedParquet("its column index has an order of number " + number);
        }
        return all[number];
    }

    public int pages() {
        return nullPages.length;
    }

    /// The statistics of one page that contains values.
    public ValueStatistics page(int page) {
        return new ValueStatistics(mins[page], maxs[page], nulls == null ? -1 : nulls[page], true);
    }
}
