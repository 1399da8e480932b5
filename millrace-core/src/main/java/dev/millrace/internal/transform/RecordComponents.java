package dev.millrace.internal.transform;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// Maps Java types to column types: the components of a user's records, nested records, lists of them.
final class RecordComponents {
    /// The type of a BigDecimal when only its class is known: exact for most money and measures.
    private static final DataType DECIMAL = DataType.decimal(38, 9);

    private RecordComponents() {}

    /// The fields of a record class.
    static List<Field> fieldsOf(Class<?> record) {
        List<Field> fields = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            String what = "component '" + component.getName() + "' of " + record.getSimpleName();
            fields.add(new Field(component.getName(), typeOf(component.getGenericType(), what)));
        }
        return fields;
    }

    /// @param what names the place in the error
    static DataType typeOf(Type type, String what) {
        if (type instanceof ParameterizedType generic) {
            Class<?> raw = (Class<?>) generic.getRawType();
            Type[] arguments = generic.getActualTypeArguments();
            if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
                return DataType.list(typeOf(arguments[0], what));
            }
            if (Map.class.isAssignableFrom(raw)) {
                return DataType.map(typeOf(arguments[0], what), typeOf(arguments[1], what));
            }
            throw unsupported(type, what);
        }
        if (type instanceof Class<?> plain) {
            return plain.isRecord() ? new DataType.Struct(fieldsOf(plain)) : typeOf(plain, what);
        }
        throw unsupported(type, what);
    }

    private static DataType typeOf(Class<?> type, String what) {
        if (type == boolean.class || type == Boolean.class) {
            return DataType.BOOL;
        } else if (type == byte.class || type == Byte.class) {
            return DataType.INT8;
        } else if (type == short.class || type == Short.class) {
            return DataType.INT16;
        } else if (type == int.class || type == Integer.class) {
            return DataType.INT32;
        } else if (type == long.class || type == Long.class) {
            return DataType.INT64;
        } else if (type == float.class || type == Float.class) {
            return DataType.FLOAT32;
        } else if (type == double.class || type == Double.class) {
            return DataType.FLOAT64;
        } else if (CharSequence.class.isAssignableFrom(type)
                || type == char.class
                || type == Character.class
                || type.isEnum()) {
            return DataType.UTF8;
        } else if (type == byte[].class) {
            return DataType.BINARY;
        } else if (type.isArray()) {
            return DataType.list(typeOf((Type) type.getComponentType(), what));
        } else if (type == BigDecimal.class) {
            return DECIMAL;
        } else if (type == BigInteger.class) {
            return DataType.decimal(38, 0);
        } else {
            return timeOf(type, what);
        }
    }

    private static DataType timeOf(Class<?> type, String what) {
        if (type == LocalDate.class) {
            return DataType.DATE;
        } else if (type == LocalTime.class) {
            return DataType.time(TimeUnit.MICROSECOND);
        } else if (type == LocalDateTime.class) {
            return DataType.timestamp(TimeUnit.MICROSECOND);
        } else if (type == Instant.class || type == ZonedDateTime.class || type == OffsetDateTime.class) {
            return DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
        } else if (type == Duration.class) {
            return DataType.duration(TimeUnit.MICROSECOND);
        }
        throw unsupported(type, what);
    }

    private static MillraceException unsupported(Type type, String what) {
        String hint = type == Tensor.class
                ? "A tensor's shape is not known from its class: return a Row instead."
                : "Use numbers, strings, times, enums, byte[], arrays, lists, maps or records of them.";
        return MillraceException.user(
                "The " + what + " is a " + type.getTypeName() + ", which no column type stands for. " + hint);
    }
}
