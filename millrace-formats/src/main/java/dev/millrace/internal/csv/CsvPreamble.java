package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;

import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What precedes the rows of a file.
///
/// @param names of the columns; empty if the file is empty
/// @param end the position of the first row
record CsvPreamble(List<String> names, long end) {
    private static final int WINDOW = 1 << 14;

    static CsvPreamble read(FileRange range, CsvFormat format, ReadContext context) throws IOException {
        try (InputWindow window = new InputWindow(FilePeek.at(range, 0), 0, WINDOW, context.allocator())) {
            CsvErrors errors =
                    new CsvErrors(range, context.allocator(), format.options().charset());
            window.fill();
            window.drop(markLength(window, errors));
            skipLines(window, format.options().skipRows());
            if (format.options().names() != null) {
                return new CsvPreamble(format.options().names(), window.position);
            }
            return firstRecord(window, format, errors);
        }
    }

    /// The length of the UTF-8 byte order mark.
    private static int markLength(InputWindow window, CsvErrors errors) {
        MemorySegment bytes = window.bytes;
        int first = window.size < 2 ? 0 : (at(bytes, 0) & 0xFF) << 8 | at(bytes, 1) & 0xFF;
        if (first == 0xFFFE || first == 0xFEFF) {
            throw errors.of(
                    "is UTF-16, and CSV files are read as UTF-8 or ISO 8859-1. Convert it, e.g. by iconv -f UTF-16"
                            + " -t UTF-8.");
        }
        return first == 0xEFBB && window.size > 2 && (at(bytes, 2) & 0xFF) == 0xBF ? 3 : 0;
    }

    private static void skipLines(InputWindow window, int lines) throws IOException {
        for (int i = 0; i < lines; i++) {
            while (true) {
                window.fill();
                int end = 0;
                while (end < window.size && at(window.bytes, end) != '\n' && at(window.bytes, end) != '\r') {
                    end++;
                }
                if (end + 1 >= window.size && !window.last) {
                    window.drop(end);
                    continue;
                }
                boolean pair =
                        end + 1 < window.size && at(window.bytes, end) == '\r' && at(window.bytes, end + 1) == '\n';
                window.drop(Math.min(window.size, end + (pair ? 2 : 1)));
                break;
            }
        }
        window.fill();
    }

    private static CsvPreamble firstRecord(InputWindow window, CsvFormat format, CsvErrors errors) throws IOException {
        CsvDialect dialect = format.dialect();
        RecordScanner scanner = new RecordScanner(dialect);
        int most = format.options().maxRecordBytes();
        while (true) {
            scanner.scan(window.bytes, window.size, window.last);
            RowRecords rows = new RowRecords(dialect, 0, most);
            int[] found = new int[] {-1, 0};
            rows.take(window.bytes, scanner, Long.MAX_VALUE, (start, _, fields) -> {
                if (found[0] < 0) {
                    found[0] = start;
                    found[1] = fields;
                }
            });
            if (found[0] >= 0) {
                return of(window, scanner, found[0], found[1], format);
            }
            if (window.last) {
                if (scanner.open) {
                    throw errors.at(
                            window.position + scanner.consumed(), "a quote is opened in the header and never closed.");
                }
                return new CsvPreamble(List.of(), window.position);
            }
            window.drop(scanner.consumed());
            if (window.size == window.capacity()) {
                if (window.size >= most) {
                    throw errors.at(window.position, CsvReader.tooLong("The header", most));
                }
                window.grow(most);
            }
            window.fill();
        }
    }

    private static CsvPreamble of(InputWindow window, RecordScanner scanned, int start, int count, CsvFormat format) {
        if (!format.options().hasHeader()) {
            return new CsvPreamble(
                    IntStream.range(0, count).mapToObj(i -> "f" + i).toList(), window.position);
        }
        // Scan again from there: the line ends may have moved.
        window.drop(start);
        RecordScanner scanner = scanned;
        scanner.scan(window.bytes, window.size, window.last);
        int end = Math.min(window.size, scanner.ends[scanner.records[0] - 1] + 1);
        RowRecords rows = new RowRecords(format.dialect(), count, Integer.MAX_VALUE);
        rows.take(window.bytes, scanner, 1, (_, _, _) -> {});
        ColumnFields fields =
                new ColumnFields(format.dialect(), format.options().charset(), false);
        List<String> names = new ArrayList<>();
        for (int column = 0; column < count; column++) {
            fields.of(window.bytes, window.spare(), rows, column, scanner);
            names.add(fields.text(0));
        }
        return new CsvPreamble(List.copyOf(names), window.position + end);
    }
}
