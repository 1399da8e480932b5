package dev.millrace.arrow;

import dev.millrace.column.Column;
import dev.millrace.column.Tensor;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A column's values as interop.py writes them to JSON: the same text for the same values on both sides.
public final class CanonicalValues {
    private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000L);

    private CanonicalValues() {}

    public static String of(Column column) {
        StringBuilder json = new StringBuilder("[");
        for (long i = 0; i < column.length(); i++) {
            json.append(i == 0 ? "" : ",").append(canonical(column.type(), column.value(i)));
        }
        return json.append("]").toString();
    }

    private static String canonical(DataType type, Object value) {
        if (value == null) {
            return "null";
        }
        return switch (type) {
            case DataType.Null _ -> "null";
            case DataType.Bool _, DataType.Int _, DataType.Date _ -> quoted(value.toString());
            case DataType.Float _ -> quoted(bits(((Number) value).doubleValue()));
            case DataType.Decimal _ -> quoted(((BigDecimal) value).toPlainString());
            case DataType.Time _ -> quoted(String.valueOf(((LocalTime) value).toNanoOfDay()));
            case DataType.Timestamp _ -> quoted(nanos(value).toString());
            case DataType.Duration _ ->
                quoted(nanos(((Duration) value).toSeconds(), ((Duration) value).toNanosPart())
                        .toString());
            case DataType.Utf8 _ -> quoted("s:" + hex(((String) value).getBytes(StandardCharsets.UTF_8)));
            case DataType.Binary _ -> quoted("b:" + hex((byte[]) value));
            case DataType.ListOf(DataType element) -> list(element, (List<?>) value);
            case DataType.FixedList(DataType element, int _) -> list(element, (List<?>) value);
            case DataType.Struct(List<Field> fields) ->
                fields.stream()
                        .map(field -> canonical(field.type(), ((Map<?, ?>) value).get(field.name())))
                        .collect(Collectors.joining(",", "[", "]"));
            case DataType.MapOf(DataType key, DataType item) ->
                ((Map<?, ?>) value)
                        .entrySet().stream()
                                .map(e -> "[" + canonical(key, e.getKey()) + "," + canonical(item, e.getValue()) + "]")
                                .collect(Collectors.joining(",", "[", "]"));
            case DataType.Dictionary(DataType.Int _, DataType item, boolean _) -> canonical(item, value);
            case DataType.Tensor(DataType element, List<Integer> _) -> tensor(element, (Tensor) value);
            case DataType.VariableTensor(DataType element, int _) -> tensor(element, (Tensor) value);
        };
    }

    private static String list(DataType element, List<?> values) {
        return values.stream().map(v -> canonical(element, v)).collect(Collectors.joining(",", "[", "]"));
    }

    private static String tensor(DataType element, Tensor tensor) {
        StringBuilder json = new StringBuilder("{\"shape\":[");
        int[] shape = tensor.shape();
        for (int i = 0; i < shape.length; i++) {
            json.append(i == 0 ? "" : ",").append(shape[i]);
        }
        json.append("],\"data\":[");
        double[] values = tensor.toDoubles();
        for (int i = 0; i < values.length; i++) {
            json.append(i == 0 ? "" : ",")
                    .append(quoted(
                            element instanceof DataType.Float ? bits(values[i]) : String.valueOf((long) values[i])));
        }
        return json.append("]}").toString();
    }

    private static BigInteger nanos(Object timestamp) {
        LocalDateTime utc = timestamp instanceof ZonedDateTime zoned
                ? zoned.withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime()
                : (LocalDateTime) timestamp;
        return nanos(utc.toEpochSecond(ZoneOffset.UTC), utc.get(ChronoField.NANO_OF_SECOND));
    }

    private static BigInteger nanos(long seconds, int nanos) {
        return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
    }

    private static String bits(double value) {
        return HexFormat.of().toHexDigits(Double.doubleToLongBits(value));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
