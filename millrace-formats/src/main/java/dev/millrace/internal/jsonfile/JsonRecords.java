package dev.millrace.internal.jsonfile;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.json.JsonCursor;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.internal.textfile.LineNumbers;
import dev.millrace.internal.textfile.TextInput;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import java.io.IOException;

/// Goes from record to record of a range of a file. One thread.
final class JsonRecords implements AutoCloseable {
    private final FileRange range;
    private final TextInput in;
    private final LineNumbers lines;
    /// The shape was not given.
    private final boolean guessed;

    private final int maxRecordBytes;
    private final JsonCursor cursor = new JsonCursor();
    private JsonShape shape;
    /// Where the next record is searched.
    private int at;

    private int recordAt;
    private long lineStart;
    private boolean inArray;
    private boolean first = true;
    private boolean done;

    private JsonRecords(
            FileRange range, TextInput in, JsonShape shape, boolean guessed, int maxRecordBytes, Allocator allocator) {
        this.range = range;
        this.in = in;
        this.shape = shape;
        this.guessed = guessed;
        this.maxRecordBytes = maxRecordBytes;
        this.lines = new LineNumbers(range, in, allocator);
    }

    /// @param given the shape of all files, or null: what each looks like
    /// @return null for a part of a file whose first part has it all
    static JsonRecords open(FileRange range, JsonShape given, int maxRecordBytes, Allocator allocator)
            throws IOException {
        long from = range.from();
        boolean whole = from == 0 && range.to() == Long.MAX_VALUE;
        JsonShape shape = given != null || whole ? given : shape(range, maxRecordBytes, allocator);
        // A file that cannot be cut is read by whoever has its beginning.
        if (from > 0 && shape != JsonShape.LINES) {
            return null;
        }
        long start = Math.max(0, from - 1);
        try (ResourceScope scope = new ResourceScope()) {
            TextInput in = scope.add(new TextInput(range.bytes(start), start, maxRecordBytes, allocator));
            JsonRecords records = new JsonRecords(range, in, shape, given == null, maxRecordBytes, allocator);
            records.refill(0);
            if (from > 0) {
                records.skipLine();
            } else {
                records.begin();
            }
            return scope.keep(records);
        }
    }

    private static JsonShape shape(FileRange range, int maxRecordBytes, Allocator allocator) throws IOException {
        try (TextInput in = new TextInput(range.bytes(0), 0, maxRecordBytes, allocator)) {
            while (true) {
                in.more(0);
                JsonShape shape = JsonShape.of(in.bytes(), in.limit(), in.isEnded());
                if (shape != null) {
                    return shape;
                }
                if (in.limit() > maxRecordBytes) {
                    return JsonShape.VALUES;
                }
            }
        }
    }

    /// To behind the first line end, from the byte before the range on.
    private void skipLine() throws IOException {
        while (true) {
            for (; at < cursor.limit; at++) {
                if (cursor.bytes[at] == '\n') {
                    at++;
                    lineStart = in.place(at);
                    return;
                }
            }
            if (!refill(at)) {
                done = true;
                return;
            }
        }
    }

    private void begin() throws IOException {
        byte[] b = cursor.bytes;
        if (cursor.limit >= 3 && (b[0] & 0xFF) == 0xEF && (b[1] & 0xFF) == 0xBB && (b[2] & 0xFF) == 0xBF) {
            at = 3;
        }
        if (shape == JsonShape.LINES) {
            return;
        }
        if (!passSpace()) {
            done = true;
            return;
        }
        if (cursor.bytes[at] == '[') {
            shape = JsonShape.ARRAY;
            inArray = true;
            at++;
        } else if (shape == null) {
            shape = JsonShape.VALUES;
        }
    }

    JsonCursor cursor() {
        return cursor;
    }

    /// The place in the file of a position in the cursor.
    long place(int position) {
        return in.place(position);
    }

    /// File, line and byte where something is wrong.
    String where(JsonSyntaxException e) {
        return lines.where(e != MORE ? e.at() : shape == JsonShape.LINES ? lineEnd(recordAt) : cursor.limit);
    }

    /// The words for a place in the cursor.
    String where(int position) {
        return lines.where(position);
    }

    /// True if the file holds no more bytes than there are in the cursor.
    boolean isEnded() {
        return in.isEnded();
    }

    /// Where the next record begins, or -1 if there is none.
    int next() throws IOException {
        if (done || !passSpace()) {
            recordAt = at;
            return end();
        }
        recordAt = at;
        if (shape == JsonShape.LINES && lineStart >= range.to()) {
            done = true;
            return -1;
        }
        if (inArray) {
            byte c = cursor.bytes[at];
            if (c == ']') {
                at++;
                inArray = false;
                if (passSpace()) {
                    throw cursor.unexpected("nothing should follow the array", at);
                }
                return end();
            }
            if (!first) {
                if (c != ',') {
                    throw cursor.unexpected("a comma or ']' should follow", at);
                }
                at++;
                boolean more = passSpace();
                recordAt = at;
                if (!more) {
                    throw MORE;
                }
            }
        }
        first = false;
        if (cursor.bytes[at] != '{') {
            throw cursor.unexpected("a record should be an object", at);
        }
        cursor.passedLineEnd = false;
        return at;
    }

    private int end() {
        if (inArray) {
            throw MORE;
        }
        done = true;
        return -1;
    }

    /// The record that [#next] gave ends before this position.
    void passed(int position) {
        requireOneLine(position);
        if (position - recordAt > maxRecordBytes) {
            throw tooLong();
        }
        at = position;
    }

    private JsonSyntaxException tooLong() {
        return wrong(
                "a record has more than " + maxRecordBytes
                        + " bytes. Perhaps a quote or bracket is opened and never closed; if not, raise"
                        + " ReadJson.maxRecordBytes",
                recordAt);
    }

    void requireOneLine(int position) {
        if (shape == JsonShape.LINES && cursor.passedLineEnd) {
            throw wrong(
                    "a record goes over the end of its line in a file of lines; read it with ReadJson.values()",
                    position);
        }
    }

    /// Goes behind a record that is broken: to the next line in a file of lines, elsewhere to where its brackets are
    /// closed. False if nobody knows where the next record begins.
    boolean skipBroken() throws IOException {
        if (shape == JsonShape.LINES) {
            at = recordAt;
            skipLine();
            return true;
        }
        return guessed && shape == JsonShape.VALUES && skipToRecordLine() || skipBrackets();
    }

    /// For a file that may be one of lines: another record begins the next.
    private boolean skipToRecordLine() throws IOException {
        int end = lineEnd(recordAt);
        while (end + 1 >= cursor.limit) {
            int length = end - recordAt;
            if (cursor.limit - recordAt > maxRecordBytes) {
                return false;
            }
            if (!more()) {
                done = true;
                return true;
            }
            end = lineEnd(recordAt + length);
        }
        if (cursor.bytes[end + 1] != '{') {
            return false;
        }
        at = end + 1;
        lineStart = in.place(at);
        return true;
    }

    private boolean skipBrackets() throws IOException {
        while (recordAt < cursor.limit && cursor.bytes[recordAt] == '{') {
            try {
                at = cursor.skipValue(recordAt);
                return true;
            } catch (JsonSyntaxException e) {
                if (e != MORE || cursor.limit - recordAt > maxRecordBytes || !more()) {
                    return false;
                }
            }
        }
        return false;
    }

    /// The first line end from a position on, or the limit.
    private int lineEnd(int from) {
        int end = from;
        while (end < cursor.limit && cursor.bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    /// Gets more of the file behind the record that [#next] gave, which lies elsewhere in the cursor then. Returns
    /// whether there is more that may belong to the record.
    boolean more() throws IOException {
        if (shape == JsonShape.LINES && lineEnd(recordAt) < cursor.limit) {
            return false;
        }
        if (cursor.limit - recordAt > maxRecordBytes) {
            throw tooLong();
        }
        boolean more = refill(recordAt);
        recordAt = at;
        // It is read from its begin on.
        cursor.passedLineEnd = false;
        return more;
    }

    int recordAt() {
        return recordAt;
    }

    private boolean refill(int keep) throws IOException {
        long place = in.place(at);
        lines.leave(keep);
        boolean more = in.more(keep);
        cursor.bytes = in.bytes();
        cursor.limit = in.limit();
        at = (int) (place - in.place(0));
        return more;
    }

    /// To the next byte that is no space; false if there is none.
    private boolean passSpace() throws IOException {
        while (true) {
            byte[] b = cursor.bytes;
            int limit = cursor.limit;
            int position = at;
            while (position < limit && JsonShape.isSpace(b[position])) {
                if (b[position] == '\n') {
                    lineStart = in.place(position + 1);
                }
                position++;
            }
            at = position;
            if (position < limit) {
                return true;
            }
            if (!refill(at)) {
                return false;
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
