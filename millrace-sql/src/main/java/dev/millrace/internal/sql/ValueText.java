package dev.millrace.internal.sql;

import dev.millrace.column.Column;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.text.FloatText;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Casts values of any type to text, in DuckDB's VARCHAR format: `2020-01-05 01:02:03`, `10000000.0`, `[1, NULL]`.
enum ValueText implements ColumnFunction {
    INSTANCE;

    private static final int NANOS_DIGITS = 9;

    @Override
    public String text(List<String> arguments) {
        return "varchar(" + arguments.getFirst() + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        return DataType.UTF8;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column values = arguments.getFirst();
        try (StringColumnBuilder builder = new StringColumnBuilder(allocator, values.length())) {
            for (long row = 0; row < values.length(); row++) {
                if (values.isNull(row)) {
                    builder.appendNull();
                } else {
                    builder.append(of(values.value(row)));
                }
            }
            return builder.build();
        }
    }

    private static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Double number -> FloatText.of(number);
            case Float number -> FloatText.of(number);
            case BigDecimal number -> number.toPlainString();
            case LocalDateTime time -> date(time.toLocalDate()) + " " + time(time.toLocalTime());
            case ZonedDateTime time ->
                date(time.toLocalDate()) + " " + time(time.toLocalTime())
                        + offset(time.getOffset().getTotalSeconds());
            case LocalDate date -> date(date);
            case LocalTime time -> time(time);
            case byte[] bytes -> bytes(bytes);
            case List<?> list -> list.stream().map(ValueText::of).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> "'" + entry.getKey() + "': " + of(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            default -> value.toString();
        };
    }

    private static String date(LocalDate date) {
        int year = date.getYear();
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02d%s",
                year > 0 ? year : 1 - year,
                date.getMonthValue(),
                date.getDayOfMonth(),
                year > 0 ? "" : " (BC)");
    }

    private static String time(LocalTime time) {
        String seconds =
                String.format(Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond());
        if (time.getNano() == 0) {
            return seconds;
        }
        String fraction = Integer.toString(time.getNano());
        String all = "0".repeat(NANOS_DIGITS - fraction.length()) + fraction;
        return seconds + "." + all.replaceAll("0+$", "");
    }

    private static String offset(int seconds) {
        int minutes = Math.abs(seconds) / 60;
        String hours = String.format(Locale.ROOT, "%02d", minutes / 60);
        String rest = minutes % 60 == 0 ? "" : String.format(Locale.ROOT, ":%02d", minutes % 60);
        return (seconds < 0 ? "-" : "+") + hours + rest;
    }

    /// ASCII unchanged, other bytes as `\xAA`.
    private static String bytes(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            boolean plain = b >= ' ' && b < 0x7F && b != '\\' && b != '\'' && b != '"';
            text.append(
                    plain
                            ? new String(new byte[] {b}, StandardCharsets.US_ASCII)
                            : String.format(Locale.ROOT, "\\x%02X", b));
        }
        return text.toString();
    }
}
