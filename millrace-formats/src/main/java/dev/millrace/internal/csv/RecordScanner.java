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

/// Finds where the fields of records end, without looking at what they hold. A field that begins with a quote ends
/// behind its closing quote at the next delimiter or line end; a quote anywhere else is a character. Lines end with
/// LF, CRLF or CR.
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

    /// Where each field ends: positions of delimiters and line ends, in their order.
    int[] ends = new int[1 << 12];

    int fields;
    /// For each complete record how many fields it and those before it have.
    int[] records = new int[1 << 9];

    int count;
    /// Bits of the columns of which some field begins with a quote; the last stands for all further ones.
    private long quotedColumns;
    /// There are returns, so that one may stand before a line end.
    boolean returns;
    /// Some byte is not ASCII.
    boolean beyondAscii;
    /// The bytes end inside quotes.
    boolean open;

    private MemorySegment bytes;
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

    /// Scans from a record's begin at 0 on.
    ///
    /// @param windowSize how many bytes there are; 64 more must be readable
    /// @param isLast the file ends there: so does the last record, except inside quotes
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

    /// Behind the last complete record.
    int consumed() {
        return count == 0 ? 0 : Math.min(size, ends[records[count - 1] - 1] + 1);
    }

    /// Whether some field of the column may begin with a quote.
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

    /// Takes a block without quotes and lone returns; false: there are some, and nothing was taken.
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

    /// Some high bit is set if and only if some byte is zero; which one, the lowest of them tells alone.
    private static long zeros(long word) {
        return word - ONES & ~word;
    }

    /// True if each return of the block stands before one of the line ends.
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
        // Eight at a time, some of them for nothing: a branch per field would be mispredicted.
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

    /// Goes on field by field, for about a block.
    ///
    /// @return the next position; Integer.MAX_VALUE when the rest is incomplete
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

    /// The quote that ends the field, or -1 if it does not come, or might be the first of a pair.
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
