package dev.millrace.internal.json;

import dev.millrace.internal.text.TextWords;
import dev.millrace.type.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Parses a JSON text that is completely in memory, e.g. in the metadata of another format.
public final class JsonText {
    private JsonText() {}

    /// A parsed value in the form that a builder of the type takes: strings are converted to dates, exact numbers to
    /// integers.
    ///
    /// @throws RuntimeException of some kind, if it is not a value of the type
    public static @Nullable Object fit(@Nullable Object value, DataType type) {
        return new JsonJavaValues(new JsonNumbers()).fit(value, type);
    }

    /// The value of a text: a string, boolean, Long or other exact number, List, Map (in the order of its keys) or
    /// null.
    ///
    /// @throws IllegalArgumentException with a description of the error
    public static @Nullable Object parse(byte[] text) {
        JsonCursor in = new JsonCursor();
        in.bytes = Arrays.copyOf(text, text.length + TextWords.PADDING);
        in.limit = text.length;
        if (text.length > 0 && text[text.length - 1] >= '0' && text[text.length - 1] <= '9') {
            // A number ends at the character that follows it.
            in.bytes = Arrays.copyOf(text, text.length + 1 + TextWords.PADDING);
            in.bytes[in.limit++] = '\n';
        }
        try {
            JsonJavaValues values = new JsonJavaValues(new JsonNumbers());
            int end = values.read(in, in.skipSpace(0), 0);
            while (end < in.limit && in.bytes[end] <= ' ' && in.bytes[end] >= 0) {
                end++;
            }
            if (end < in.limit) {
                throw new IllegalArgumentException("something follows its value at byte " + end);
            }
            return values.value();
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage() + (e.at() < 0 ? "" : " at byte " + e.at()), e);
        }
    }
}
