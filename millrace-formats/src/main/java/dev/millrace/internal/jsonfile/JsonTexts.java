package dev.millrace.internal.jsonfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.ColumnBuilder;
import dev.millrace.internal.json.JsonCursor;
import dev.millrace.internal.json.JsonNumbers;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.internal.json.ValueReader;
import dev.millrace.internal.textfile.TextInput;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads JSON texts of one value each, such as members of archives: infers their type, and appends their values to a
/// column. One thread.
public final class JsonTexts {
    private final JsonCursor in = new JsonCursor();
    private final JsonTypeInference guess = JsonTypeInference.ofValues();
    /// Null before the first column.
    private @Nullable ValueReader reader;

    /// Copies the next text.
    public void take(MemorySegment source, long from, int length) {
        if (in.bytes.length < length + TextInput.PADDING) {
            in.bytes = new byte[Math.toIntExact(Math.max(length + (long) TextInput.PADDING, 2L * in.bytes.length))];
        }
        MemorySegment.copy(source, JAVA_BYTE, from, in.bytes, 0, length);
        Arrays.fill(in.bytes, length, length + TextInput.PADDING, (byte) 0);
        in.limit = length;
    }

    /// Learns from the current text.
    ///
    /// @throws IllegalArgumentException if the text is invalid, with the reason and the byte
    public void learn() {
        pass(() -> guess.value(in, in.skipSpace(0), 0));
    }

    /// The inferred type, see [JsonTypeInference].
    ///
    /// @throws IllegalArgumentException for integers beyond int64
    public DataType type() {
        try {
            return guess.type();
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /// @param isGiven whether the user gave the type: if so, its strings accept any value and unknown fields are
    ///     skipped, otherwise both are errors
    public void into(ColumnBuilder target, boolean isGiven) {
        reader = ValueReader.of(target, new JsonNumbers(), isGiven, !isGiven);
    }

    /// Appends the value of the current text. After an error the column must be discarded.
    ///
    /// @throws IllegalArgumentException if the text is invalid, with the reason and the byte
    public void append() {
        ValueReader reader = Objects.requireNonNull(this.reader, "a column is named before its values");
        pass(() -> reader.read(in, in.skipSpace(0), 0));
    }

    private interface Passing {
        int end();
    }

    private void pass(Passing value) {
        try {
            int end = value.end();
            while (end < in.limit && JsonShape.isSpace(in.bytes[end])) {
                end++;
            }
            if (end < in.limit) {
                throw new IllegalArgumentException("something follows its value at byte " + end);
            }
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException((e.at() < 0 ? "" : "at byte " + e.at() + " ") + e.getMessage(), e);
        }
    }
}
