package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What the library says of values, in the plainest Java: for tests that compute everything again.
public final class PlainValues {
    private PlainValues() {}

    /// The order of `sort`: NaN after the numbers and null last in both directions, text by its UTF-8 bytes.
    public static int compare(Object a, Object b, boolean descending) {
        int ranks = Integer.compare(rank(a), rank(b));
        if (ranks != 0 || rank(a) > 0) {
            return ranks;
        }
        int order = ascending(a, b);
        return descending ? -order : order;
    }

    private static int rank(Object value) {
        return value == null ? 2 : isNaN(value) ? 1 : 0;
    }

    public static boolean isNaN(Object value) {
        return value instanceof Double real && real.isNaN() || value instanceof Float single && single.isNaN();
    }

    @SuppressWarnings("unchecked")
    private static int ascending(Object a, Object b) {
        return switch (a) {
            case Number x
            when isReal(a) || isReal(b) -> Double.compare(x.doubleValue() + 0.0, ((Number) b).doubleValue() + 0.0);
            case Number x -> exact(x).compareTo(exact((Number) b));
            case String x ->
                Arrays.compareUnsigned(
                        x.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
            case byte[] x -> Arrays.compareUnsigned(x, (byte[]) b);
            case ZonedDateTime x -> x.toInstant().compareTo(((ZonedDateTime) b).toInstant());
            default -> ((Comparable<Object>) a).compareTo(b);
        };
    }

    private static boolean isReal(Object value) {
        return value instanceof Double || value instanceof Float;
    }

    public static BigDecimal exact(Number number) {
        return isReal(number) ? new BigDecimal(number.doubleValue()) : new BigDecimal(number.toString());
    }

    /// The values of a column in one form, see [OracleValues#normal].
    public static List<Object> of(Column column) {
        List<Object> values = new ArrayList<>();
        for (long row = 0; row < column.length(); row++) {
            values.add(OracleValues.normal(column.value(row)));
        }
        return values;
    }

    /// The rows of a block, each as its values in one form.
    public static List<List<Object>> rows(Block block) {
        List<List<Object>> rows = new ArrayList<>();
        for (long row = 0; row < block.rows(); row++) {
            List<Object> values = new ArrayList<>();
            for (Column column : block.columns()) {
                values.add(OracleValues.normal(column.value(row)));
            }
            rows.add(values);
        }
        return rows;
    }
}
