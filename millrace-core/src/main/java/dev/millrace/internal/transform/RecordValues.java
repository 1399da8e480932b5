package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Converts between the Java values of columns and those of a user's types: numbers narrow if the value fits, structs
/// become records, strings enum constants; and back.
final class RecordValues {
    private RecordValues() {}

    /// The column's value as `target`. Null stays null.
    ///
    /// @param what names the component in errors
    static @Nullable Object convert(@Nullable Object value, Type target, String what) {
        if (value == null) {
            return null;
        }
        if (target instanceof ParameterizedType generic) {
            return convertGeneric(value, generic, what);
        }
        Class<?> type = (Class<?>) target;
        if (type.isInstance(value)) {
            return value;
        }
        if (value instanceof Number number && (type.isPrimitive() || Number.class.isAssignableFrom(type))) {
            return number(number, type, what);
        }
        return switch (value) {
            case String text when type.isEnum() -> constant(text, type, what);
            case String text
            when (type == char.class || type == Character.class) && text.length() == 1 -> text.charAt(0);
            case Boolean bool when type == boolean.class -> bool;
            case ZonedDateTime time when type == Instant.class -> time.toInstant();
            case ZonedDateTime time when type == OffsetDateTime.class -> time.toOffsetDateTime();
            case Map<?, ?> map when type.isRecord() -> RecordCodec.of(type).fromMap(map);
            case List<?> list when type.isArray() -> array(list, type.getComponentType(), what);
            default -> throw misfit(value, type, what);
        };
    }

    private static Object convertGeneric(Object value, ParameterizedType target, String what) {
        Class<?> raw = (Class<?>) target.getRawType();
        if (value instanceof List<?> list && raw.isAssignableFrom(List.class)) {
            return Collections.unmodifiableList(
                    elements(list, target.getActualTypeArguments()[0], what, new ArrayList<>()));
        }
        if (value instanceof List<?> list && raw == Set.class) {
            return Collections.unmodifiableSet(
                    elements(list, target.getActualTypeArguments()[0], what, new HashSet<>()));
        }
        if (value instanceof Map<?, ?> map && raw.isAssignableFrom(Map.class)) {
            Map<Object, Object> converted = LinkedHashMap.newLinkedHashMap(map.size());
            map.forEach((key, item) -> converted.put(
                    convert(key, target.getActualTypeArguments()[0], what),
                    convert(item, target.getActualTypeArguments()[1], what)));
            return Collections.unmodifiableMap(converted);
        }
        throw misfit(value, raw, what);
    }

    private static <C extends Collection<Object>> C elements(List<?> list, Type element, String what, C into) {
        list.forEach(value -> into.add(convert(value, element, what)));
        return into;
    }

    private static Object array(List<?> list, Class<?> element, String what) {
        Object array = Array.newInstance(element, list.size());
        for (int i = 0; i < list.size(); i++) {
            Array.set(array, i, convert(list.get(i), element, what));
        }
        return array;
    }

    private static Object number(Number value, Class<?> type, String what) {
        boolean whole = !(value instanceof Double || value instanceof Float || value instanceof BigDecimal);
        if (type == double.class || type == Double.class) {
            return value.doubleValue();
        } else if (type == float.class || type == Float.class) {
            return value.floatValue();
        } else if (type == BigDecimal.class && whole) {
            return new BigDecimal(value.toString());
        } else if (type == BigInteger.class && whole) {
            return new BigInteger(value.toString());
        } else if (!whole || value instanceof BigInteger big && big.bitLength() >= Long.SIZE) {
            throw misfit(value, type, what);
        }
        long exact = value.longValue();
        if (type == long.class || type == Long.class) {
            return exact;
        } else if ((type == int.class || type == Integer.class) && exact == (int) exact) {
            return (int) exact;
        } else if ((type == short.class || type == Short.class) && exact == (short) exact) {
            return (short) exact;
        } else if ((type == byte.class || type == Byte.class) && exact == (byte) exact) {
            return (byte) exact;
        }
        throw misfit(value, type, what);
    }

    private static Object constant(String text, Class<?> type, String what) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw misfit(text, type, what);
    }

    private static MillraceException misfit(Object value, Class<?> type, String what) {
        String shown = value instanceof String ? "'" + value + "'" : String.valueOf(value);
        return MillraceException.user(
                "The value " + shown + " does not fit " + what + ", which is a " + type.getSimpleName() + ".");
    }

    /// A user's value in the form that builders accept: rows and records as maps, also inside lists and maps.
    static Object plain(Object value) {
        return switch (value) {
            case Row row -> plainMap(row.asMap());
            case Record record -> RecordCodec.of(record.getClass()).toMap(record);
            case Tensor tensor -> tensor;
            case List<?> list when needsPlain(list) -> elements(list);
            case Set<?> set when needsPlain(set) -> elements(set);
            case Object[] array
            when array.length > 0 && needsPlain(List.of(firstOf(array))) -> elements(List.of(array));
            case Map<?, ?> map -> plainMap(map);
            case null, default -> value;
        };
    }

    private static Object firstOf(Object[] array) {
        for (Object element : array) {
            if (element != null) {
                return element;
            }
        }
        return "";
    }

    private static boolean needsPlain(Collection<?> elements) {
        for (Object element : elements) {
            if (element != null) {
                return element instanceof Row
                        || element instanceof Record
                        || element instanceof Collection
                        || element instanceof Map
                        || element instanceof Object[];
            }
        }
        return false;
    }

    private static List<Object> elements(Collection<?> values) {
        List<Object> plain = new ArrayList<>(values.size());
        values.forEach(value -> plain.add(plain(value)));
        return plain;
    }

    private static Map<Object, Object> plainMap(Map<?, ?> map) {
        Map<Object, Object> plain = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((key, value) -> plain.put(key, plain(value)));
        return plain;
    }
}
