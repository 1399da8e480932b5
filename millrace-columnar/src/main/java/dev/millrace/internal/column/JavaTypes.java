package dev.millrace.internal.column;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The default [DataType] of a Java value: Integer is int32, Long int64, a List a list of the common type of its
/// elements, a Map with String keys a struct (other keys: a map), arrays of primitives lists, `byte[]` binary.
public final class JavaTypes {
    private JavaTypes() {}

    /// @throws MillraceException culprit USER, for a class that no column holds, or elements without a common type
    public static DataType infer(@Nullable Object value) {
        return switch (value) {
            case null -> DataType.NULL;
            case Boolean _ -> DataType.BOOL;
            case Byte _ -> DataType.INT8;
            case Short _ -> DataType.INT16;
            case Integer _ -> DataType.INT32;
            case Long _ -> DataType.INT64;
            case Float _ -> DataType.FLOAT32;
            case Double _ -> DataType.FLOAT64;
            case BigDecimal decimal -> decimal(decimal);
            case BigInteger _ -> DataType.decimal(38, 0);
            case CharSequence _, Character _, Enum<?> _ -> DataType.UTF8;
            case byte[] _, ByteBuffer _ -> DataType.BINARY;
            case LocalDate _ -> DataType.DATE;
            case LocalTime _ -> DataType.time(TimeUnit.MICROSECOND);
            case LocalDateTime _ -> DataType.timestamp(TimeUnit.MICROSECOND);
            case ZonedDateTime dateTime ->
                DataType.timestamp(TimeUnit.MICROSECOND, dateTime.getZone().getId());
            case Instant _, OffsetDateTime _ -> DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
            case Duration _ -> DataType.duration(TimeUnit.MICROSECOND);
            case Tensor tensor -> tensor.type();
            case boolean[] _ -> DataType.list(DataType.BOOL);
            case short[] _ -> DataType.list(DataType.INT16);
            case int[] _ -> DataType.list(DataType.INT32);
            case long[] _ -> DataType.list(DataType.INT64);
            case float[] _ -> DataType.list(DataType.FLOAT32);
            case double[] _ -> DataType.list(DataType.FLOAT64);
            case Object[] array -> DataType.list(inferCommon(Arrays.asList(array)));
            case Iterable<?> elements -> DataType.list(inferCommon(elements));
            case Map<?, ?> map -> inferMap(map);
            default ->
                throw MillraceException.user("A value of " + value.getClass().getName()
                        + " has no column type. Use numbers, strings, times, byte[], lists, maps or Tensor, or"
                        + " convert it.");
        };
    }

    /// The common type of several values; null for none.
    public static DataType inferCommon(Iterable<?> values) {
        DataType common = DataType.NULL;
        for (Object value : values) {
            common = Types.unify(common, infer(value));
        }
        return common;
    }

    private static DataType inferMap(Map<?, ?> map) {
        if (!map.keySet().stream().allMatch(String.class::isInstance)) {
            return DataType.map(inferCommon(map.keySet()), inferCommon(map.values()));
        }
        List<Field> fields = new ArrayList<>();
        map.forEach((key, value) -> fields.add(new Field((String) key, infer(value))));
        return new DataType.Struct(fields);
    }

    private static DataType decimal(BigDecimal value) {
        int scale = Math.max(0, value.scale());
        int precision = Math.max(value.precision() - value.scale() + scale, Math.max(1, scale));
        if (precision > 38) {
            throw MillraceException.user("The number " + value + " has more than 38 digits, the most a decimal holds.");
        }
        return DataType.decimal(precision, scale);
    }
}
