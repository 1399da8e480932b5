package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Parameters of an API, each as JSON.
final class HttpOptions {
    private HttpOptions() {}

    /// @throws MillraceException culprit USER, for a value that cannot be represented in JSON
    static Map<String, String> with(Map<String, String> options, String name, Object value) {
        JsonWriter writer = new JsonWriter();
        try {
            writer.value(value);
        } catch (IllegalArgumentException e) {
            throw MillraceException.user("option '" + name + "': " + e.getMessage()
                    + ". Give a string, number, boolean, or a List or Map of them.");
        }
        Map<String, String> changed = new LinkedHashMap<>(options);
        changed.put(name, new String(writer.take(), StandardCharsets.UTF_8));
        return changed;
    }
}
