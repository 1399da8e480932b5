package dev.millrace.benchmarks;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes the value types that occur in a report as JSON.
public final class Json {
    private Json() {}

    public static String object(Map<String, ?> fields) {
        return value(fields);
    }

    private static String value(Object value) {
        return switch (value) {
            case Double number -> Double.isFinite(number) ? number(number) : "null";
            case Long _, Integer _, Boolean _ -> value.toString();
            case Map<?, ?> fields ->
                fields.entrySet().stream()
                        .map(field -> text(String.valueOf(field.getKey())) + ": " + value(field.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list -> list.stream().map(Json::value).collect(Collectors.joining(", ", "[", "]"));
            default -> text(value.toString());
        };
    }

    /// Six decimal digits, without an exponent.
    private static String number(double number) {
        BigDecimal rounded = new BigDecimal(number).setScale(6, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    private static String text(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.chars().forEach(c -> {
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                default -> text.append(c < ' ' ? String.format(Locale.ROOT, "\\u%04x", c) : Character.toString(c));
            }
        });
        return text.append('"').toString();
    }
}
