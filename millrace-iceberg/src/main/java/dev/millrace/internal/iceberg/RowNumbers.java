package dev.millrace.internal.iceberg;

import java.util.Arrays;

/// Row numbers of a block, ascending.
final class RowNumbers {
    private int[] rows = new int[16];
    private int count;

    void add(int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = row;
    }

    int[] rows() {
        return rows;
    }

    int count() {
        return count;
    }
}
