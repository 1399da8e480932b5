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

/// A request's body with places for values of columns. A string that is one place and nothing else, "${n}", becomes the
/// column's value as JSON has it; places within a string become text.
///
/// @param root of lists, maps and values; a [TextTemplate] where columns come in
record JsonTemplate(@Nullable Object root) {
    /// @throws MillraceException culprit USER, when it is no JSON
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

    /// @return null if a value is null that stands within a text
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
