package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request body with placeholders for column values. A string that consists of one placeholder, "${n}", becomes the
/// column's value as JSON; placeholders within a longer string are replaced by text.
///
/// @param root lists, maps and values; a [TextTemplate] where columns are inserted
record JsonTemplate(@Nullable Object root) {
    /// @throws MillraceException culprit USER, if it is not JSON
    static JsonTemplate parse(String json) {
        try {
            return new JsonTemplate(templates(JsonText.parse(json.getBytes(StandardCharsets.UTF_8))));
        } catch (IllegalArgumentException e) {
            throw MillraceException.user("The request's template is no JSON: " + e.getMessage()
                    + ". A column is named in quotes: \"${name}\".");
        }
    }

    private static @Nullable Object templates(@Nullable Object value) {
        return switch (value) {
            case String text -> {
                TextTemplate template = TextTemplate.of(text, false);
                yield template.isPlain() ? template.parts().getFirst() : template;
            }
            case List<?> list -> list.stream().map(JsonTemplate::templates).toList();
            case Map<?, ?> map -> {
                Map<Object, Object> made = new LinkedHashMap<>();
                map.forEach((key, element) -> made.put(key, templates(element)));
                yield made;
            }
            case null, default -> value;
        };
    }

    /// @return null if a value that is inserted into a text is null
    byte @Nullable [] fill(Batch batch, long row, JsonWriter out) {
        boolean complete = write(root, batch, row, out);
        byte[] body = out.take();
        return complete ? body : null;
    }

    private static boolean write(@Nullable Object node, Batch batch, long row, JsonWriter out) {
        switch (node) {
            case TextTemplate template
            when template.wholeColumn() != null -> out.value(batch.column(template.wholeColumn()), row);
            case TextTemplate template -> {
                String text = template.fill(batch, row);
                if (text == null) {
                    return false;
                }
                out.text(text);
            }
            case List<?> list -> {
                String separator = "[";
                for (Object element : list) {
                    out.raw(separator);
                    if (!write(element, batch, row, out)) {
                        return false;
                    }
                    separator = ",";
                }
                out.raw(list.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.raw(separator);
                    out.text((String) entry.getKey());
                    out.raw(":");
                    if (!write(entry.getValue(), batch, row, out)) {
                        return false;
                    }
                    separator = ",";
                }
                out.raw(map.isEmpty() ? "{}" : "}");
            }
            case null, default -> out.value(node);
        }
        return true;
    }
}
