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
import org.jspecify.annotations.Nullable;

/// Iterates over the records of a file range. One thread.
final class JsonRecords implements AutoCloseable {
    private final FileRange range;
    private final TextInput in;
    private final LineNumbers lines;
    /// The shape was detected, not given.
    private final boolean guessed;

    private final int maxRecordBytes;
    private final JsonCursor cursor = new JsonCursor();
    private @Nullable JsonShape shape;
    /// The position from which the next record is searched.
    private int at;

    private int recordAt;
    private long lineStart;
    private boolean inArray;
    private boolean first = true;
    private boolean done;

    private JsonRecords(
            FileRange range,
            TextInput in,
            @Nullable JsonShape shape,
            boolean guessed,
            int maxRecordBytes,
            Allocator allocator) {
        this.range = range;
        this.in = in;
        this.shape = shape;
        this.guessed = guessed;
        this.maxRecordBytes = maxRecordBytes;
        this.lines = new LineNumbers(range, in, allocator);
    }

    /// @param given the shape of all files; null to detect it for each file
    /// @return null for a later part of a file that is read as a whole with its first part
    static @Nullable JsonRecords open(
            FileRange range, @Nullable JsonShape given, int maxRecordBytes, Allocator allocator) throws IOException {
        long from = range.from();
        boolean whole = from == 0 && range.to() == Long.MAX_VALUE;
        JsonShape shape = given != null || whole ? given : shape(range, maxRecordBytes, allocator);
        // A file that cannot be split is read with its first part.
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

    /// Skips past the first line end, starting at the byte before the range.
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

    /// The file position of a position in the cursor.
    long place(int position) {
        return in.place(position);
    }

    /// File, line and byte of an error, as text.
    String where(JsonSyntaxException e) {
        return lines.where(e != MORE ? e.at() : shape == JsonShape.LINES ? lineEnd(recordAt) : cursor.limit);
    }

    /// File, line and byte of a position in the cursor, as text.
    String where(int position) {
        return lines.where(position);
    }

    /// True if the cursor contains the rest of the file.
    boolean isEnded() {
        return in.isEnded();
    }

    /// The start of the next record, or -1 if there is none.
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

    /// Reports the end of the record that [#next] returned.
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

    /// Skips a broken record: to the next line in a file of lines, otherwise to its closing bracket. False if the start
    /// of the next record is unknown.
    boolean skipBroken() throws IOException {
        if (shape == JsonShape.LINES) {
            at = recordAt;
            skipLine();
            return true;
        }
        return guessed && shape == JsonShape.VALUES && skipToRecordLine() || skipBrackets();
    }

    /// For a file that may be one of lines: skips to the next line if it begins with a record.
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

    /// The first line end at or after a position, or the limit.
    private int lineEnd(int from) {
        int end = from;
        while (end < cursor.limit && cursor.bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    /// Loads more of the file after the record that [#next] returned, which may move within the cursor. Returns whether
    /// there is more that may belong to the record.
    boolean more() throws IOException {
        if (shape == JsonShape.LINES && lineEnd(recordAt) < cursor.limit) {
            return false;
        }
        if (cursor.limit - recordAt > maxRecordBytes) {
            throw tooLong();
        }
        boolean more = refill(recordAt);
        recordAt = at;
        // The record is read again from its start.
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

    /// Skips whitespace; false if nothing else follows.
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
