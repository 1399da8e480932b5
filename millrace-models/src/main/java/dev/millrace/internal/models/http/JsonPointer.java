package dev.millrace.internal.models.http;

import dev.millrace.error.MillraceException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A JSON pointer (RFC 6901): "/choices/0/message/content"; the empty pointer refers to the whole value.
record JsonPointer(String text, List<String> steps) {
    /// The result if there is no value at the pointer: null is a value.
    static final Object NOTHING = new Object();

    /// @throws MillraceException culprit USER, if the text is not a pointer
    static JsonPointer of(String text) {
        if (text.isEmpty()) {
            return new JsonPointer(text, List.of());
        }
        if (!text.startsWith("/")) {
            throw MillraceException.user(
                    "A JSON pointer begins with a slash, as in /data/0/label; '" + text + "' does not.");
        }
        List<String> steps = Arrays.stream(text.substring(1).split("/", -1))
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
        return new JsonPointer(text, steps);
    }

    @SuppressWarnings("ReferenceEquality") // NOTHING is one object
    @Nullable
    Object find(@Nullable Object root) {
        Object at = root;
        for (String step : steps) {
            at = switch (at) {
                case Map<?, ?> map when map.containsKey(step) -> map.get(step);
                case List<?> list when index(step) >= 0 && index(step) < list.size() -> list.get(index(step));
                case null, default -> NOTHING;
            };
            if (at == NOTHING) {
                break;
            }
        }
        return at;
    }

    private static int index(String step) {
        return step.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(step) : -1;
    }
}
