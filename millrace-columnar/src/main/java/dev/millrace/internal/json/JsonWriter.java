package dev.millrace.internal.json;

import dev.millrace.column.Column;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes JSON texts in memory, one after the other, from Java values and from values of columns. One thread.
public final class JsonWriter {
    private final JsonSink out = new JsonSink(null);
    private final ValueWriter values = new ValueWriter(out, false, false);

    /// Appends ASCII text that is already JSON.
    public void raw(String json) {
        out.put(json);
    }

    public void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.putText(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /// Appends a value of a column, in the format of JSON files.
    public void value(Column column, long row) {
        values.write(column, row);
    }

    /// Appends a value of a type that [JsonText] returns: null, a boolean, a number, a string, a list or a map of them.
    ///
    /// @throws IllegalArgumentException for anything else, and for numbers that are not finite
    public void value(@Nullable Object value) {
        switch (value) {
            case null -> raw("null");
            case String text -> text(text);
            case Boolean truth -> raw(truth ? "true" : "false");
            case BigDecimal decimal -> raw(decimal.toString());
            case Number number when Double.isFinite(number.doubleValue()) -> raw(number.toString());
            case List<?> list -> {
                String separator = "[";
                for (Object element : list) {
                    raw(separator);
                    value(element);
                    separator = ",";
                }
                raw(list.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    raw(separator);
                    text(String.valueOf(entry.getKey()));
                    raw(":");
                    value(entry.getValue());
                    separator = ",";
                }
                raw(map.isEmpty() ? "{}" : "}");
            }
            default ->
                throw new IllegalArgumentException(
                        "JSON has no " + value.getClass().getSimpleName() + " such as " + value);
        }
    }

    /// Returns what was written since the last call.
    public byte[] take() {
        return out.take();
    }
}
