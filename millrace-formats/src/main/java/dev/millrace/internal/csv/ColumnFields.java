package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.text.TextWords;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;

/// The values of one column in a window, without their quotes. Reused for all columns.
final class ColumnFields {
    final Charset charset;

    MemorySegment bytes = MemorySegment.NULL;
    int rows;
    int[] from = new int[0];
    int[] to = new int[0];
    /// The window contains non-ASCII bytes.
    boolean beyondAscii;

    private final CsvDialect dialect;
    private final boolean keepQuoted;
    /// Which values were quoted; only recorded if it matters.
    private boolean[] quoted = new boolean[0];

    private boolean anyQuoted;
    private int aside;

    /// @param keepQuoted record which values were quoted, because a quoted text is never null
    ColumnFields(CsvDialect dialect, Charset charset, boolean keepQuoted) {
        this.dialect = dialect;
        this.charset = charset;
        this.keepQuoted = keepQuoted;
    }

    /// @param spare the offset in `window` of as many free bytes as the window has: fields with inner quotes are copied
    ///     there
    void of(MemorySegment window, int spare, RowRecords source, int column, RecordScanner scanner) {
        bytes = window;
        rows = source.count;
        beyondAscii = scanner.beyondAscii;
        if (from.length < rows) {
            from = new int[rows + rows / 4];
            to = new int[from.length];
            quoted = new boolean[keepQuoted ? from.length : 0];
        }
        source.fields(column, from, to);
        anyQuoted = scanner.isQuoted(column);
        aside = spare;
        if (anyQuoted || dialect.escape() >= 0) {
            unquote();
        }
    }

    boolean isKept(int row) {
        return keepQuoted && anyQuoted && quoted[row];
    }

    boolean isEmpty(int row) {
        return from[row] == to[row];
    }

    String text(int row) {
        byte[] copy = new byte[to[row] - from[row]];
        MemorySegment.copy(bytes, JAVA_BYTE, from[row], copy, 0, copy.length);
        return new String(copy, charset);
    }

    private void unquote() {
        byte quote = (byte) dialect.quote();
        boolean mayQuote = dialect.quote() >= 0;
        boolean mayEscape = dialect.escape() >= 0;
        for (int row = 0; row < rows; row++) {
            int start = from[row];
            int end = to[row];
            boolean isQuoted = mayQuote && start < end && at(bytes, start) == quote;
            if (keepQuoted) {
                quoted[row] = isQuoted;
            }
            if (isQuoted && !mayEscape && TextWords.find(bytes, start + 1, end, quote) == end - 1) {
                from[row] = start + 1;
                to[row] = end - 1;
            } else if (isQuoted || mayEscape && TextWords.find(bytes, start, end, (byte) dialect.escape()) < end) {
                from[row] = aside;
                copyPlain(start, end, isQuoted);
                to[row] = aside;
            }
        }
    }

    /// Copies a field to the free bytes, without quotes and escapes.
    private void copyPlain(int start, int end, boolean isQuoted) {
        boolean inside = isQuoted;
        for (int i = isQuoted ? start + 1 : start; i < end; i++) {
            byte value = at(bytes, i);
            if (dialect.escape() >= 0 && value == (byte) dialect.escape() && i + 1 < end) {
                value = at(bytes, ++i);
            } else if (inside && value == (byte) dialect.quote()) {
                if (i + 1 < end && at(bytes, i + 1) == value) {
                    i++;
                } else {
                    inside = false;
                    continue;
                }
            }
            bytes.set(JAVA_BYTE, aside++, value);
        }
    }
}
