package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A text with placeholders for column values: "Summarise: ${text}". `$${` is an escaped `${`.
///
/// @param parts texts and, after each but the last, the name of a column
/// @param text false: if the template is a single column, its value may be of another type than text
record TextTemplate(List<String> parts, boolean text) {
    /// @throws MillraceException culprit USER, if a placeholder is not closed or has no name
    static TextTemplate of(String text, boolean always) {
        List<String> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            if (text.startsWith("$${", at)) {
                plain.append("${");
                at += 3;
            } else if (text.startsWith("${", at)) {
                int end = text.indexOf('}', at);
                if (end <= at + 2) {
                    throw MillraceException.user("'" + text.substring(at, Math.min(text.length(), at + 20))
                            + "' is no place for a column: write ${name}, and $${ for the characters themselves.");
                }
                parts.add(plain.toString());
                parts.add(text.substring(at + 2, end));
                plain.setLength(0);
                at = end + 1;
            } else {
                plain.append(text.charAt(at++));
            }
        }
        parts.add(plain.toString());
        return new TextTemplate(List.copyOf(parts), always);
    }

    boolean isPlain() {
        return parts.size() == 1;
    }

    /// The column if the template is a single placeholder, or null.
    @Nullable
    String wholeColumn() {
        return !text
                        && parts.size() == 3
                        && parts.getFirst().isEmpty()
                        && parts.getLast().isEmpty()
                ? parts.get(1)
                : null;
    }

    /// @return null if one of the values is null
    @Nullable
    String fill(Batch batch, long row) {
        StringBuilder filled = new StringBuilder(parts.getFirst());
        for (int i = 1; i < parts.size(); i += 2) {
            Column column = batch.column(parts.get(i));
            if (column.isNull(row)) {
                return null;
            }
            Object value = column.value(row);
            if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                filled.append(value);
            } else {
                JsonWriter json = new JsonWriter();
                json.value(column, row);
                String made = new String(json.take(), StandardCharsets.UTF_8);
                filled.append(made.startsWith("\"") ? made.substring(1, made.length() - 1) : made);
            }
            filled.append(parts.get(i + 1));
        }
        return filled.toString();
    }
}
