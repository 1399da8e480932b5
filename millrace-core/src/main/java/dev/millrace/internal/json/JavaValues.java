package dev.millrace.internal.json;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Values as Java objects: strings, booleans, exact numbers, lists and maps.
final class JavaValues {
    private final JsonNumbers numbers;
    private Object value;

    JavaValues(JsonNumbers numbers) {
        this.numbers = numbers;
    }

    /// The last one read.
    Object value() {
        return value;
    }

    int read(JsonCursor in, int from, int depth) {
        byte c = in.bytes[from];
        switch (c) {
            case '"' -> {
                int end = in.string(from);
                value = text(in);
                return end;
            }
            case 'n' -> {
                value = null;
                return in.passNull(from);
            }
            case 't', 'f' -> {
                value = c == 't';
                return in.passBoolean(from);
            }
            case '[' -> {
                return array(in, from, depth);
            }
            case '{' -> {
                return object(in, from, depth);
            }
            default -> {
                int end = numbers.read(in, from);
                if (numbers.isLong) {
                    value = numbers.longValue;
                } else if (Double.isFinite(numbers.doubleValue)) {
                    value = new BigDecimal(new String(in.bytes, from, end - from, StandardCharsets.ISO_8859_1));
                } else {
                    value = numbers.doubleValue;
                }
                return end;
            }
        }
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

    /// What a builder of the type takes for a value. Throws some RuntimeException where it is none of the type's.
    static Object fit(Object value, DataType type) {
        return switch (type) {
            case DataType.Date _ when value instanceof String text -> LocalDate.parse(text);
            case DataType.Time _ when value instanceof String text -> LocalTime.parse(text);
            case DataType.Binary _
            when value instanceof String text -> Base64.getDecoder().decode(text);
            case DataType.Decimal _ when value instanceof String text -> decimal(text);
            case DataType.Decimal _ when value instanceof Long number -> BigDecimal.valueOf(number);
            case DataType.Int _ when value instanceof BigDecimal number -> integer(number);
            case DataType.Float _ when value instanceof BigDecimal number -> number.doubleValue();
            case DataType.Dictionary dictionary -> fit(value, dictionary.value());
            case DataType.ListOf list when value instanceof List<?> elements -> all(elements, list.element());
            case DataType.FixedList list when value instanceof List<?> elements -> all(elements, list.element());
            case DataType.Struct struct when value instanceof Map<?, ?> map -> fields(map, struct);
            default -> value;
        };
    }

    private static BigDecimal decimal(String text) {
        if (text.length() > 100) {
            throw new NumberFormatException("too long");
        }
        return new BigDecimal(text);
    }

    private static BigInteger integer(BigDecimal number) {
        if (number.scale() < -20 || number.scale() > 400) {
            throw new ArithmeticException("no integer of 64 bits");
        }
        return number.toBigIntegerExact();
    }

    private static List<Object> all(List<?> elements, DataType type) {
        List<Object> fitted = new ArrayList<>(elements.size());
        for (Object element : elements) {
            fitted.add(element == null ? null : fit(element, type));
        }
        return fitted;
    }

    private static Map<String, Object> fields(Map<?, ?> map, DataType.Struct struct) {
        Map<String, Object> fitted = new LinkedHashMap<>();
        for (Field field : struct.fields()) {
            Object value = map.get(field.name());
            fitted.put(field.name(), value == null ? null : fit(value, field.type()));
        }
        return fitted;
    }
}
