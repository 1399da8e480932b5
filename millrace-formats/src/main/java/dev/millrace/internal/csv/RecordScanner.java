package dev.millrace.internal.csv;

import static dev.millrace.internal.text.TextWords.at;
import static dev.millrace.internal.text.TextWords.equal;
import static dev.millrace.internal.text.TextWords.first;
import static dev.millrace.internal.text.TextWords.gather;
import static dev.millrace.internal.text.TextWords.repeat;
import static dev.millrace.internal.text.TextWords.word;

import dev.millrace.internal.text.TextWords;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Finds the ends of the fields of records, without interpreting their contents. A field that begins with a quote ends
/// after its closing quote at the next delimiter or line end; a quote anywhere else is an ordinary character. Lines end
/// with LF, CRLF or CR.
final class RecordScanner {
    private static final int BLOCK = 64;
    private static final long NEWLINES = repeat('\n');
    private static final long RETURNS = repeat('\r');
    private static final long ONES = repeat(1);

    private final boolean plain;
    private final byte delimiter;
    private final int quote;
    private final int escape;
    private final int comment;
    private final long delimiters;
    private final long quotes;
    private final long escapes;

    /// The end of each field: positions of delimiters and line ends, in order.
    int[] ends = new int[1 << 12];

    int fields;
    /// For each complete record the number of fields in it and all records before it.
    int[] records = new int[1 << 9];

    int count;
    /// A bit for each column in which some field begins with a quote; the last bit stands for all further columns.
    private long quotedColumns;
    /// There are CRs, so a line end may be preceded by one.
    boolean returns;
    /// There are non-ASCII bytes.
    boolean beyondAscii;
    /// The bytes end inside quotes.
    boolean open;

    private MemorySegment bytes = MemorySegment.NULL;
    private int size;
    private boolean last;

    RecordScanner(CsvDialect dialect) {
        this.plain = dialect.isPlain();
        this.delimiter = dialect.delimiter();
        this.quote = dialect.quote();
        this.escape = dialect.escape();
        this.comment = dialect.comment();
        this.delimiters = repeat(delimiter);
        this.quotes = repeat(quote);
        this.escapes = repeat(escape);
    }

    /// Scans from the start of a record at offset 0.
    ///
    /// @param windowSize the number of bytes; 64 more must be readable
    /// @param isLast the file ends with the window, and so does the last record, except inside quotes
    void scan(MemorySegment window, int windowSize, boolean isLast) {
        bytes = window;
        size = windowSize;
        last = isLast;
        fields = 0;
        count = 0;
        quotedColumns = 0;
        returns = false;
        beyondAscii = false;
        open = false;
        int position = 0;
        while (position < size) {
            position = plain && position + BLOCK <= size && quoteless(position) ? position + BLOCK : step(position);
        }
        if (last && !open && !(endsRecord() && fieldStart() >= size)) {
            endRecord(size);
        }
    }

    /// The end of the last complete record.
    int consumed() {
        return count == 0 ? 0 : Math.min(size, ends[records[count - 1] - 1] + 1);
    }

    /// Whether a field of the column may begin with a quote.
    boolean isQuoted(int column) {
        return (quotedColumns & columnBit(column)) != 0;
    }

    private static long columnBit(int column) {
        return 1L << Math.min(column, Long.SIZE - 1);
    }

    private boolean endsRecord() {
        return fields == 0 || count > 0 && records[count - 1] == fields;
    }

    private int fieldStart() {
        return fields == 0 ? 0 : ends[fields - 1] + 1;
    }

    /// Handles a block without quotes and lone CRs; returns false, having done nothing, if it contains any.
    private boolean quoteless(int position) {
        long delimited = 0;
        long ended = 0;
        long special = 0;
        long returned = 0;
        long all = 0;
        for (int i = 0; i < BLOCK; i += 8) {
            long word = word(bytes, position + i);
            all |= word;
            special |= zeros(word ^ quotes);
            returned |= zeros(word ^ RETURNS);
            delimited |= gather(equal(word, delimiters)) << i;
            ended |= gather(equal(word, NEWLINES)) << i;
        }
        boolean hasReturns = (returned & TextWords.HIGH_BITS) != 0;
        if (quote >= 0 && (special & TextWords.HIGH_BITS) != 0 || hasReturns && !areFollowedBy(position, ended)) {
            return false;
        }
        beyondAscii |= (all & TextWords.HIGH_BITS) != 0;
        returns |= hasReturns;
        note(position, delimited | ended, ended);
        return true;
    }

    /// Some high bit is set if and only if some byte is zero; only the lowest set bit tells which one.
    private static long zeros(long word) {
        return word - ONES & ~word;
    }

    /// True if each CR of the block precedes one of the line ends.
    private boolean areFollowedBy(int position, long ended) {
        long returned = 0;
        for (int i = 0; i < BLOCK; i += 8) {
            returned |= gather(equal(word(bytes, position + i), RETURNS)) << i;
        }
        return (returned & ~(ended >>> 1)) == 0;
    }

    private void note(int position, long structure, long ended) {
        int found = Long.bitCount(structure);
        if (fields + BLOCK > ends.length) {
            ends = Arrays.copyOf(ends, ends.length * 2);
        }
        // Writes eight at a time, some of them in vain: a branch per field would be mispredicted.
        int[] into = ends;
        long left = structure;
        for (int done = 0; done < found; done += 8) {
            int to = fields + done;
            for (int i = 0; i < 8; i++) {
                into[to + i] = position + Long.numberOfTrailingZeros(left);
                left &= left - 1;
            }
        }
        for (long newlines = ended; newlines != 0; newlines &= newlines - 1) {
            int bit = Long.numberOfTrailingZeros(newlines);
            record(fields + Long.bitCount(structure & ((2L << bit) - 1)));
        }
        fields += found;
    }

    private void record(int fieldsSoFar) {
        if (count == records.length) {
            records = Arrays.copyOf(records, count * 2);
        }
        records[count++] = fieldsSoFar;
    }

    private void endField(int position) {
        if (fields == ends.length) {
            ends = Arrays.copyOf(ends, fields * 2);
        }
        ends[fields++] = position;
    }

    private void endRecord(int position) {
        endField(position);
        record(fields);
    }

    /// Continues field by field, for about a block.
    ///
    /// @return the next position; Integer.MAX_VALUE if the rest is incomplete
    private int step(int from) {
        int stop = Math.min(size, from + BLOCK);
        int position = from;
        while (position < stop) {
            if (comment >= 0 && at(bytes, position) == (byte) comment && position == fieldStart() && endsRecord()) {
                position = lineEnd(position);
            }
            long word = word(bytes, position);
            beyondAscii |= (word & TextWords.HIGH_BITS) != 0;
            long events = equal(word, delimiters) | equal(word, quotes) | TextWords.below(word, 0x0E);
            if (escape >= 0) {
                events |= equal(word, escapes);
            }
            if (events == 0) {
                position += 8;
                continue;
            }
            int event = position + first(events);
            if (event >= size) {
                return size;
            }
            position = take(event);
        }
        return position;
    }

    private int take(int event) {
        byte found = at(bytes, event);
        if (found == delimiter) {
            endField(event);
        } else if (found == '\n') {
            endRecord(event);
        } else if (found == '\r') {
            returns = true;
            if (event + 1 == size ? last : at(bytes, event + 1) != '\n') {
                endRecord(event);
            }
        } else if (found == (byte) escape && escape >= 0) {
            return event + 2;
        } else if (found == (byte) quote && quote >= 0 && event == fieldStart()) {
            quotedColumns |= columnBit(fields - (count == 0 ? 0 : records[count - 1]));
            int closing = closing(event + 1);
            if (closing < 0) {
                open = true;
                return Integer.MAX_VALUE;
            }
            return closing + 1;
        }
        return event + 1;
    }

    private int lineEnd(int from) {
        int position = from;
        while (position < size && at(bytes, position) != '\n' && at(bytes, position) != '\r') {
            position++;
        }
        return position;
    }

    /// The quote that ends the field, or -1 if there is none or it might be the first of a pair.
    private int closing(int from) {
        int position = from;
        long any = 0;
        while (position < size) {
            long word = word(bytes, position);
            any |= word;
            long events = equal(word, quotes);
            if (escape >= 0) {
                events |= equal(word, escapes);
            }
            int event = position + first(events);
            if (events == 0) {
                position += 8;
            } else if (event >= size) {
                break;
            } else if (escape >= 0 && at(bytes, event) == (byte) escape) {
                position = event + 2;
            } else if (event + 1 < size && at(bytes, event + 1) == (byte) quote) {
                position = event + 2;
            } else {
                beyondAscii |= (any & TextWords.HIGH_BITS) != 0;
                return event + 1 == size && !last ? -1 : event;
            }
        }
        beyondAscii |= (any & TextWords.HIGH_BITS) != 0;
        return -1;
    }
}
