package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;

import dev.millrace.internal.text.TextWords;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Finds the start of the first record at or after a position in a file, although earlier quotes decide whether a line
/// end ends a record.
///
/// Two scans begin at the position: one assumes that it is outside of quotes, the other that it is inside. The wrong
/// one soon meets a contradiction: a quote where none should be, a record with a number of fields other than the number
/// of columns. If only one meets none, it is taken; if both or neither do, the file is scanned from its first row. An
/// unusual file may deceive this, but not unnoticed: the reader of the previous part arrives at the same position and
/// knows where its records end.
final class RecordBorder {
    /// There is no record at or after the position.
    static final long NO_MORE = Long.MAX_VALUE;

    private static final long UNDECIDED = -1;
    private static final int LOOK_BACK = 64;
    private static final int FIRST_LOOK = 1 << 16;
    private static final int ENOUGH_QUOTES = 4;

    private final FileRange range;
    private final CsvDialect dialect;
    private final int columns;
    private final int most;
    private final long firstRow;
    private final Allocator allocator;

    /// @param most the maximum number of bytes of a record
    /// @param firstRow the position of the first row
    RecordBorder(FileRange range, CsvDialect dialect, int columns, int most, long firstRow, Allocator allocator) {
        this.range = range;
        this.dialect = dialect;
        this.columns = columns;
        this.most = most;
        this.firstRow = firstRow;
        this.allocator = allocator;
    }

    long find(long place) throws IOException {
        if (place <= firstRow) {
            return firstRow;
        }
        long answer = look(place, FIRST_LOOK);
        if (answer == UNDECIDED) {
            answer = look(place, most + FIRST_LOOK);
        }
        return answer == UNDECIDED ? scan(place) : answer;
    }

    private long look(long place, int bytes) throws IOException {
        long base = Math.max(firstRow, place - LOOK_BACK);
        try (InputWindow window = new InputWindow(FilePeek.at(range, base), base, bytes + LOOK_BACK, allocator)) {
            window.fill();
            return new Walks(window, place).decide();
        }
    }

    /// Scans from the first row on.
    long scan(long place) throws IOException {
        RecordScanner scanner = new RecordScanner(dialect);
        try (InputWindow window = new InputWindow(FilePeek.at(range, firstRow), firstRow, 1 << 20, allocator)) {
            while (true) {
                window.fill();
                scanner.scan(window.bytes, window.size, window.last);
                int start = 0;
                for (int i = 0; i < scanner.count; i++) {
                    if (window.position + start >= place) {
                        return window.position + start;
                    }
                    start = scanner.ends[scanner.records[i] - 1] + 1;
                }
                if (window.last) {
                    return NO_MORE;
                }
                window.drop(scanner.consumed());
                if (window.position >= place && window.size > 0) {
                    return window.position;
                }
                if (scanner.count == 0) {
                    if (window.size >= most) {
                        return NO_MORE;
                    }
                    window.grow(most);
                }
            }
        }
    }

    private final class Walks {
        private final MemorySegment bytes;
        private final int size;
        private final boolean last;
        private final long base;
        private final long place;

        Walks(InputWindow window, long place) {
            this.bytes = window.bytes;
            this.size = window.size;
            this.last = window.last;
            this.base = window.position;
            this.place = place;
        }

        long decide() {
            if (base + size < place) {
                return NO_MORE;
            }
            int begin = (int) (place - base) - 1;
            // Do not begin inside a doubled quote or after an escape.
            while (begin > 0 && (isMark(begin - 1) || begin > 1 && isEscape(begin - 2))) {
                begin--;
            }
            if (begin == 0 && base != firstRow) {
                return UNDECIDED;
            }
            Walk outside = new Walk(begin, false);
            Walk inside = new Walk(begin, true);
            int quote = dialect.quote() < 0 ? size : (int) TextWords.find(bytes, begin, size, (byte) dialect.quote());
            boolean seen = last || size - begin > most;
            if (dialect.quote() < 0 || begin == 0 || quote - begin > most || quote == size && seen) {
                // The position is outside of quotes, or an open field could not end within the maximum record length.
                outside.go(size, true);
                return outside.start;
            }
            if (quote == size) {
                return UNDECIDED;
            }
            if (dialect.escape() < 0) {
                inside.at = quote;
            }
            for (int limit = 1 << 10; ; limit *= 4) {
                outside.go(Math.min(limit, size), false);
                inside.go(Math.min(limit, size), false);
                long answer = answer(outside, inside);
                if (answer != UNDECIDED || limit >= size || outside.odd && inside.odd) {
                    return answer;
                }
            }
        }

        private long answer(Walk outside, Walk inside) {
            if (!outside.odd && inside.odd) {
                return outside.start;
            }
            // A lone quote in an unquoted text is a contradiction for the scan outside, but not for the one inside.
            if (!inside.odd && outside.odd && inside.closed >= ENOUGH_QUOTES) {
                return inside.start;
            }
            return UNDECIDED;
        }

        private boolean isMark(int position) {
            return dialect.quote() >= 0 && at(bytes, position) == (byte) dialect.quote() || isEscape(position);
        }

        private boolean isEscape(int position) {
            return dialect.escape() >= 0 && at(bytes, position) == (byte) dialect.escape();
        }

        private boolean isEnd(byte value) {
            return value == dialect.delimiter() || isLineEnd(value);
        }

        private boolean isLineEnd(byte value) {
            return value == '\n' || value == '\r';
        }

        /// Scans the bytes as [RecordScanner] would.
        private final class Walk {
            private int at;
            private boolean quoted;
            private boolean fieldStart;
            private int fields = 1;
            private int recordStart;
            /// The current record was seen from its start.
            private boolean counted;

            /// The scan met something that a well-formed file does not contain.
            private boolean odd;
            /// The number of quoted fields that were closed.
            private int closed;
            /// The result of this scan.
            private long start = UNDECIDED;

            Walk(int begin, boolean quoted) {
                this.at = begin;
                this.recordStart = begin;
                this.quoted = quoted;
                this.counted = begin == 0;
                this.fieldStart = begin == 0
                        || TextWords.at(bytes, begin - 1) == dialect.delimiter()
                        || isLineEnd(TextWords.at(bytes, begin - 1));
            }

            /// @param onlyStart stop as soon as the result is known
            void go(int limit, boolean onlyStart) {
                while (at < limit && !(onlyStart ? start != UNDECIDED : odd && start != UNDECIDED)) {
                    byte value = TextWords.at(bytes, at);
                    boolean known = at + 1 < size || last;
                    if (isEscape(at)) {
                        fieldStart = false;
                        at += 2;
                    } else if (quoted) {
                        if (value != (byte) dialect.quote()) {
                            at++;
                        } else if (!known) {
                            return;
                        } else if (at + 1 < size && TextWords.at(bytes, at + 1) == value) {
                            at += 2;
                        } else {
                            quoted = false;
                            closed++;
                            odd |= at + 1 < size && !isEnd(TextWords.at(bytes, at + 1));
                            at++;
                        }
                    } else if (value == dialect.delimiter()) {
                        fields++;
                        fieldStart = true;
                        at++;
                    } else if (isLineEnd(value)) {
                        if (value == '\r' && !known) {
                            return;
                        }
                        endRecord(
                                value == '\r' && at + 1 < size && TextWords.at(bytes, at + 1) == '\n'
                                        ? at + 2
                                        : at + 1);
                    } else {
                        boolean isQuote = dialect.quote() >= 0 && value == (byte) dialect.quote();
                        quoted = isQuote && fieldStart;
                        odd |= isQuote && !fieldStart;
                        fieldStart = false;
                        at++;
                    }
                    odd |= at - recordStart > most;
                }
                if (at >= size && last) {
                    end();
                }
            }

            private void endRecord(int next) {
                boolean empty = at == recordStart;
                odd |= counted && !empty && fields != columns;
                at = next;
                recordStart = next;
                fields = 1;
                counted = true;
                fieldStart = true;
                if (start == UNDECIDED && base + next >= place) {
                    start = next >= size && last ? NO_MORE : base + next;
                }
            }

            private void end() {
                odd |= quoted || counted && recordStart < size && fields != columns;
                if (start == UNDECIDED) {
                    start = NO_MORE;
                }
            }
        }
    }
}
