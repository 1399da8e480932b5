package dev.millrace.internal.json;

import dev.millrace.internal.text.FloatText;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A path into a JSON text: keys of objects and indices of arrays, in one of three forms: `$.key."other key"[0]`, where
/// `[-1]` and `[#-1]` are the last element; `/key/0`, where `~1` is a slash and `~0` a tilde; or a single literal key.
/// One thread.
public final class JsonPath {
    /// A String for a key, a Long for an index, from the end if negative.
    private final List<Object> steps;

    /// Whether it has the form `/key/0`, in which indices and keys are not distinguished.
    private final boolean pointer;

    private @Nullable JsonSink out;

    private JsonPath(List<?> steps, boolean pointer) {
        this.steps = List.copyOf(steps);
        this.pointer = pointer;
    }

    /// @throws IllegalArgumentException with a clause that describes the error
    public static JsonPath of(String path) {
        if (path.startsWith("/")) {
            List<String> keys = new ArrayList<>();
            for (String key : path.substring(1).split("/", -1)) {
                keys.add(key.replace("~1", "/").replace("~0", "~"));
            }
            return new JsonPath(keys, true);
        }
        return path.startsWith("$") ? new JsonPath(steps(path), false) : new JsonPath(List.of(path), false);
    }

    private static List<Object> steps(String path) {
        List<Object> steps = new ArrayList<>();
        int at = 1;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '.' && path.startsWith("\"", at + 1)) {
                int close = path.indexOf('"', at + 2);
                require(close > 0, "the quote at character " + (at + 2) + " is not closed");
                steps.add(path.substring(at + 2, close));
                at = close + 1;
            } else if (c == '.') {
                int end = at + 1;
                while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
                    end++;
                }
                require(end > at + 1, "a key is missing at character " + (at + 2));
                require(!path.substring(at + 1, end).contains("*"), "'*' for all elements is not supported");
                steps.add(path.substring(at + 1, end));
                at = end;
            } else {
                require(c == '[', "a '.' or '[' should stand at character " + (at + 1));
                int close = path.indexOf(']', at);
                require(close > 0, "the bracket at character " + (at + 1) + " is not closed");
                steps.add(position(path.substring(at + 1, close)));
                at = close + 1;
            }
        }
        return steps;
    }

    private static long position(String text) {
        require(!text.equals("*"), "'*' for all elements is not supported");
        try {
            return Long.parseLong(text.startsWith("#") ? text.substring(1) : text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' in brackets is no position");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /// The value at the path, as JSON without blanks; null if there is none.
    ///
    /// @param plain whether strings are returned without quotes, and JSON's null as null
    /// @throws IllegalArgumentException with a clause that describes the error in the JSON
    public @Nullable String extract(String json, boolean plain) {
        Object value = JsonText.parse(json.getBytes(StandardCharsets.UTF_8));
        for (Object step : steps) {
            Object next = switch (value) {
                case Map<?, ?> object
                when step instanceof String key && object.containsKey(key) -> {
                    Object member = object.get(key);
                    yield member == null ? Missing.NULL : member;
                }
                case List<?> array -> element(array, step);
                case null, default -> Missing.NOTHING;
            };
            if (next == Missing.NOTHING) {
                return null;
            }
            value = next == Missing.NULL ? null : next;
        }
        if (plain && (value == null || value instanceof String)) {
            return (String) value;
        }
        out = out == null ? new JsonSink(null) : out;
        out.clear();
        write(out, value);
        return new String(out.toArray(), StandardCharsets.UTF_8);
    }

    private enum Missing {
        NOTHING,
        NULL
    }

    private Object element(List<?> array, Object step) {
        long position;
        if (step instanceof Long number) {
            position = number;
        } else if (pointer && ((String) step).matches("[0-9]{1,9}")) {
            position = Long.parseLong((String) step);
        } else {
            return Missing.NOTHING;
        }
        long index = position < 0 ? array.size() + position : position;
        if (index < 0 || index >= array.size()) {
            return Missing.NOTHING;
        }
        Object element = array.get((int) index);
        return element == null ? Missing.NULL : element;
    }

    private static void write(JsonSink out, @Nullable Object value) {
        switch (value) {
            case null -> out.put("null");
            case String text -> putText(out, text);
            case BigDecimal number when number.scale() == 0 -> out.put(number.toPlainString());
            case BigDecimal number -> out.put(FloatText.of(number.doubleValue()));
            case Double number -> out.put(FloatText.of(number));
            case List<?> array -> {
                out.put('[');
                boolean first = true;
                for (Object element : array) {
                    out.put(first ? "" : ",");
                    first = false;
                    write(out, element);
                }
                out.put(']');
            }
            case Map<?, ?> object -> {
                out.put('{');
                boolean first = true;
                for (Map.Entry<?, ?> member : object.entrySet()) {
                    out.put(first ? "" : ",");
                    first = false;
                    putText(out, (String) member.getKey());
                    out.put(':');
                    write(out, member.getValue());
                }
                out.put('}');
            }
            default -> out.put(value.toString());
        }
    }

    private static void putText(JsonSink out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.putText(MemorySegment.ofArray(bytes), 0, bytes.length);
    }
}
