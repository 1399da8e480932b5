package dev.millrace.internal.iceberg;

import org.roaringbitmap.longlong.Roaring64NavigableMap;

/// Row numbers.
final class LongSet {
    private final Roaring64NavigableMap rows = new Roaring64NavigableMap();

    void add(long row) {
        rows.addLong(row);
    }

    boolean contains(long row) {
        return rows.contains(row);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }
}
