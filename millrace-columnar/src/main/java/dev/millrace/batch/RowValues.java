package dev.millrace.batch;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.column.JavaTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts Java values for a row's getters: widens, or reports which getter fits.
final class RowValues {
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    private RowValues() {}

    static long toLong(String name, @Nullable Object value) {
        return switch (value) {
            case Long number -> number;
            case Integer number -> number;
            case Short number -> number;
            case Byte number -> number;
            case BigInteger number when number.bitLength() < Long.SIZE -> number.longValue();
            case null -> throw isNull(name, "getLong");
            default -> throw wrong(name, value, "getLong");
        };
    }

    static int toInt(String name, @Nullable Object value) {
        return switch (value) {
            case Integer number -> number;
            case Short number -> number;
            case Byte number -> number;
            case null -> throw isNull(name, "getInt");
            default -> throw wrong(name, value, "getInt");
        };
    }

    static double toDouble(String name, @Nullable Object value) {
        return switch (value) {
            case Double number -> number;
            case Float number -> number;
            case Long number -> number;
            case Integer number -> number;
            case Short number -> number;
            case Byte number -> number;
            case BigInteger number -> number.doubleValue();
            case null -> throw isNull(name, "getDouble");
            default -> throw wrong(name, value, "getDouble");
        };
    }

    static float toFloat(String name, @Nullable Object value) {
        return switch (value) {
            case Float number -> number;
            case Short number -> number;
            case Byte number -> number;
            case null -> throw isNull(name, "getFloat");
            default -> throw wrong(name, value, "getFloat");
        };
    }

    static boolean toBoolean(String name, @Nullable Object value) {
        return switch (value) {
            case Boolean bool -> bool;
            case null -> throw isNull(name, "getBoolean");
            default -> throw wrong(name, value, "getBoolean");
        };
    }

    static @Nullable String toText(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case CharSequence text -> text.toString();
            case Character character -> character.toString();
            case Enum<?> constant -> constant.name();
            default -> throw wrong(name, value, "getString");
        };
    }

    static byte @Nullable [] toBytes(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> bytes;
            default -> throw wrong(name, value, "getBytes");
        };
    }

    static @Nullable BigDecimal toDecimal(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case BigDecimal decimal -> decimal;
            case BigInteger integer -> new BigDecimal(integer);
            case Long _, Integer _, Short _, Byte _ -> BigDecimal.valueOf(((Number) value).longValue());
            default -> throw wrong(name, value, "getDecimal");
        };
    }

    static @Nullable List<?> toList(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case List<?> list -> list;
            case Object[] array -> Arrays.asList(array);
            case long[] array -> Arrays.stream(array).boxed().toList();
            case int[] array -> Arrays.stream(array).boxed().toList();
            case double[] array -> Arrays.stream(array).boxed().toList();
            default -> throw wrong(name, value, "getList");
        };
    }

    @SuppressWarnings("unchecked")
    static @Nullable Row toRow(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Row row -> row;
            case Map<?, ?> map -> Row.of((Map<String, ?>) map);
            default -> throw wrong(name, value, "getRow");
        };
    }

    static @Nullable Map<?, ?> toMap(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> map;
            case Row row -> row.asMap();
            default -> throw wrong(name, value, "getMap");
        };
    }

    static @Nullable Tensor toTensor(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Tensor tensor -> tensor;
            default -> throw wrong(name, value, "getTensor");
        };
    }

    static @Nullable LocalDate toDate(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case LocalDate date -> date;
            default -> throw wrong(name, value, "getDate");
        };
    }

    static @Nullable LocalTime toTime(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case LocalTime time -> time;
            default -> throw wrong(name, value, "getTime");
        };
    }

    static @Nullable LocalDateTime toDateTime(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case LocalDateTime dateTime -> dateTime;
            default -> throw wrong(name, value, "getDateTime");
        };
    }

    static @Nullable Instant toInstant(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Instant instant -> instant;
            case ZonedDateTime dateTime -> dateTime.toInstant();
            case OffsetDateTime dateTime -> dateTime.toInstant();
            default -> throw wrong(name, value, "getInstant");
        };
    }

    static @Nullable Duration toDuration(String name, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Duration duration -> duration;
            default -> throw wrong(name, value, "getDuration");
        };
    }

    static MillraceException isNull(String name, String getter) {
        return MillraceException.user("Column '" + name + "' is null in this row, and " + getter
                + " has no value for that. Ask isNull first.");
    }

    static MillraceException wrong(String name, Object value, String getter) {
        return wrongType(name, describe(value), getter, value);
    }

    static MillraceException wrongType(String name, String type, String getter, @Nullable Object value) {
        return MillraceException.user("Column '" + name + "' is " + type + ", which " + getter + " does not read. Use "
                + getterFor(value) + ".");
    }

    /// The column type of such values, or the class if there is none.
    static String describe(Object value) {
        try {
            return value instanceof Row ? "struct" : JavaTypes.infer(value).toString();
        } catch (MillraceException e) {
            return value.getClass().getName();
        }
    }

    static String getterFor(@Nullable Object value) {
        return switch (value) {
            case Long _ -> "getLong";
            case Integer _, Short _, Byte _ -> "getInt";
            case BigInteger number -> number.compareTo(MAX_LONG) > 0 ? "get" : "getLong";
            case Double _ -> "getDouble";
            case Float _ -> "getFloat";
            case Boolean _ -> "getBoolean";
            case CharSequence _, Character _, Enum<?> _ -> "getString";
            case byte[] _ -> "getBytes";
            case BigDecimal _ -> "getDecimal";
            case List<?> _, Object[] _, long[] _, int[] _, double[] _ -> "getList";
            case Row _ -> "getRow";
            case Map<?, ?> _ -> "getRow or getMap";
            case Tensor _ -> "getTensor";
            case LocalDate _ -> "getDate";
            case LocalTime _ -> "getTime";
            case LocalDateTime _ -> "getDateTime";
            case ZonedDateTime _, Instant _, OffsetDateTime _ -> "getInstant";
            case Duration _ -> "getDuration";
            case null, default -> "get";
        };
    }

    /// A value for `toString`: arrays by their elements, long ones by their length.
    static String show(@Nullable Object value) {
        return switch (value) {
            case byte[] bytes -> bytes.length + " bytes";
            case Object[] array -> Arrays.deepToString(array);
            case long[] array -> Arrays.toString(array);
            case int[] array -> Arrays.toString(array);
            case double[] array -> Arrays.toString(array);
            case float[] array -> Arrays.toString(array);
            case null, default -> String.valueOf(value);
        };
    }
}
