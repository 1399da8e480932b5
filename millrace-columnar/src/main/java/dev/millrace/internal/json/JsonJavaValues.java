package dev.millrace.internal.json;

import dev.millrace.internal.text.IntegerText;
import dev.millrace.internal.text.TextValues;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Converts JSON values to Java objects: strings, booleans, exact numbers, lists and maps.
public final class JsonJavaValues {
    private final JsonNumbers numbers;
    private @Nullable Object value;
    /// Created when strings are first converted to another type.
    private @Nullable TextValues texts;

    public JsonJavaValues(JsonNumbers numbers) {
        this.numbers = numbers;
    }

    /// The value that was read last.
    public @Nullable Object value() {
        return value;
    }

    public int read(JsonCursor in, int from, int depth) {
        byte c = in.bytes[from];
        return switch (c) {
            case '"' -> {
                int end = in.string(from);
                value = text(in);
                yield end;
            }
            case 'n' -> {
                value = null;
                yield in.passNull(from);
            }
            case 't', 'f' -> {
                value = c == 't';
                yield in.passBoolean(from);
            }
            case '[' -> array(in, from, depth);
            case '{' -> object(in, from, depth);
            default -> {
                int end = numbers.read(in, from);
                if (numbers.isLong) {
                    value = numbers.longValue;
                } else if (Double.isFinite(numbers.doubleValue)) {
                    value = exact(in.bytes, from, end);
                } else {
                    value = numbers.doubleValue;
                }
                yield end;
            }
        };
    }

    private int array(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        List<Object> list = new ArrayList<>();
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != ']';
        while (more) {
            at = in.skipSpace(read(in, at, depth + 1));
            list.add(value);
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != ']') {
            throw in.unexpected("a comma or ']' should follow", at);
        }
        value = list;
        return at + 1;
    }

    private int object(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        Map<String, Object> map = new LinkedHashMap<>();
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != '}';
        while (more) {
            if (in.bytes[at] != '"') {
                throw in.unexpected("a key in quotes should follow", at);
            }
            at = in.string(at);
            String key = text(in);
            at = in.skipSpace(read(in, in.colon(at), depth + 1));
            map.put(key, value);
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != '}') {
            throw in.unexpected("a comma or '}' should follow", at);
        }
        value = map;
        return at + 1;
    }

    private static String text(JsonCursor in) {
        return new String(in.text, in.textFrom, in.textTo - in.textFrom, StandardCharsets.UTF_8);
    }

    /// The exact value of a number that [JsonNumbers] has read.
    public static BigDecimal exact(byte[] bytes, int from, int to) {
        return new BigDecimal(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    }

    /// The value in the form that a builder of the type takes. Throws a RuntimeException if it is not a value of the
    /// type.
    public @Nullable Object fit(@Nullable Object value, DataType type) {
        return switch (type) {
            case DataType.Date _ when value instanceof String text -> parsed(text, type);
            case DataType.Time _ when value instanceof String text -> parsed(text, type);
            case DataType.Timestamp _ when value instanceof String text -> parsed(text, type);
            case DataType.Binary _
            when value instanceof String text -> Base64.getDecoder().decode(text);
            case DataType.Decimal _ when value instanceof String text -> parsed(text, type);
            case DataType.Decimal _ when value instanceof Long number -> BigDecimal.valueOf(number);
            case DataType.Int _
            when value instanceof BigDecimal number -> Objects.requireNonNull(IntegerText.whole(number));
            case DataType.Float real when value instanceof BigDecimal number -> real(number, real);
            case DataType.Dictionary dictionary -> fit(value, dictionary.value());
            case DataType.ListOf list when value instanceof List<?> elements -> all(elements, list.element());
            case DataType.FixedList list when value instanceof List<?> elements -> all(elements, list.element());
            case DataType.Struct struct when value instanceof Map<?, ?> map -> fields(map, struct);
            // Values that already have the form of their type, or that a column rejects.
            default -> value;
        };
    }

    private Object parsed(String text, DataType type) {
        if (texts == null) {
            texts = new TextValues();
        }
        return Objects.requireNonNull(texts.value(text, type));
    }

    private static Object real(BigDecimal number, DataType.Float type) {
        double real = type.bits() == 64 ? number.doubleValue() : number.floatValue();
        if (Double.isInfinite(real)) {
            throw new ArithmeticException("beyond " + type);
        }
        return real;
    }

    private List<Object> all(List<?> elements, DataType type) {
        List<Object> fitted = new ArrayList<>(elements.size());
        for (Object element : elements) {
            fitted.add(element == null ? null : fit(element, type));
        }
        return fitted;
    }

    private Map<String, Object> fields(Map<?, ?> map, DataType.Struct struct) {
        Map<String, Object> fitted = new LinkedHashMap<>();
        for (Field field : struct.fields()) {
            Object value = map.get(field.name());
            fitted.put(field.name(), value == null ? null : fit(value, field.type()));
        }
        return fitted;
    }
}
