package dev.millrace.testing;

import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Values of ours and of DuckDB's in one form.
public final class OracleValues {
    private OracleValues() {}

    /// A value of a result that is of our type; null for null.
    public static Object of(ResultSet result, int column, DataType type) throws SQLException {
        Object value = switch (type) {
            case DataType.Date _ -> result.getObject(column, LocalDate.class);
            case DataType.Timestamp _ -> result.getObject(column, LocalDateTime.class);
            default -> result.getObject(column);
        };
        return result.wasNull() ? null : value;
    }

    /// Numbers by value, whatever they come as; NaN is one value, -0.0 is 0.0.
    public static Object normal(Object value) {
        return switch (value) {
            case null -> "null";
            case Double number when !Double.isFinite(number) -> number;
            case Float number when !Float.isFinite(number) -> number.doubleValue();
            case Float number -> new BigDecimal(number.doubleValue()).stripTrailingZeros();
            case Double number -> new BigDecimal(number).stripTrailingZeros();
            case Number number -> new BigDecimal(number.toString()).stripTrailingZeros();
            case List<?> list -> list.stream().map(OracleValues::normal).toList();
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, item) -> copy.put(normal(key), normal(item)));
                yield copy;
            }
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            default -> value;
        };
    }

    /// True where both are the same, or are numbers at most so far apart.
    public static boolean same(Object ours, Object theirs, double apart) {
        if (ours instanceof Double a && theirs instanceof Double b && Double.isFinite(a) && Double.isFinite(b)) {
            return Math.abs(a - b) <= apart;
        }
        if (ours instanceof List<?> a && theirs instanceof List<?> b && a.size() == b.size()) {
            return IntStream.range(0, a.size()).allMatch(i -> same(a.get(i), b.get(i), apart));
        }
        return normal(ours).equals(normal(theirs));
    }
}
