package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/// The records of a scanned window that are rows: neither empty lines nor comments.
final class RowRecords {
    private final CsvDialect dialect;
    private final int columns;
    private final int most;

    int count;
    /// The start of each row.
    int[] starts = new int[1 << 9];
    /// The index of each row's first field in the scanner's `ends`.
    int[] firsts = new int[1 << 9];

    /// The end of each field, of the scanner.
    private int[] ends = {};

    /// @param most the maximum number of bytes of a record
    RowRecords(CsvDialect dialect, int columns, int most) {
        this.dialect = dialect;
        this.columns = columns;
        this.most = most;
    }

    /// Receives records whose number of fields differs from the number of columns, and those that are too long.
    interface Ragged {
        void found(int start, int end, int fields);
    }

    /// Takes the rows that begin before `limit`; the end of a row that ends with CRLF is moved before the CR.
    ///
    /// @return the start of the first record that was not taken, or -1 if all were
    int take(MemorySegment bytes, RecordScanner scanned, long limit, Ragged ragged) {
        ends = scanned.ends;
        count = 0;
        int[] ends = this.ends;
        int first = 0;
        int start = 0;
        for (int i = 0; i < scanned.count; i++) {
            if (start >= limit) {
                return start;
            }
            int next = scanned.records[i];
            int end = ends[next - 1];
            int after = end + 1;
            if (scanned.returns && end > start && at(bytes, end) == '\n' && at(bytes, end - 1) == '\r') {
                ends[next - 1] = --end;
            }
            boolean skipped = end == start && next - first == 1
                    || dialect.comment() >= 0 && end > start && at(bytes, start) == (byte) dialect.comment();
            if (!skipped) {
                if (next - first == columns && after - start <= most) {
                    add(start, first);
                } else {
                    ragged.found(start, end, next - first);
                }
            }
            first = next;
            start = after;
        }
        return -1;
    }

    private void add(int start, int first) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            firsts = Arrays.copyOf(firsts, count * 2);
        }
        starts[count] = start;
        firsts[count++] = first;
    }

    /// Removes these rows.
    void leaveOut(BitSet left) {
        int kept = left.nextSetBit(0);
        for (int row = kept; row < count; row++) {
            if (!left.get(row)) {
                starts[kept] = starts[row];
                firsts[kept++] = firsts[row];
            }
        }
        count = kept;
    }

    /// The positions of the values of one column.
    void fields(int column, int[] from, int[] to) {
        int[] ends = this.ends;
        if (column == 0) {
            System.arraycopy(starts, 0, from, 0, count);
        } else {
            for (int row = 0; row < count; row++) {
                from[row] = ends[firsts[row] + column - 1] + 1;
            }
        }
        for (int row = 0; row < count; row++) {
            to[row] = ends[firsts[row] + column];
        }
    }
}
