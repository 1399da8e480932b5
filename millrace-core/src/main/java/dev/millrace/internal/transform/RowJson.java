package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values as JSON text, for people and dead letters: bytes as base64, other types without a JSON form as text.
public final class RowJson {
    private RowJson() {}

    /// Of a row, or of any value, list or map of values.
    public static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(text, value);
        return text.toString();
    }

    static String of(Block block, long row) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < block.schema().size(); i++) {
            text.append(i == 0 ? "" : ",");
            quote(text, block.schema().field(i).name());
            text.append(':');
            write(text, block.column(i).value(row));
        }
        return text.append('}').toString();
    }

    private static void write(StringBuilder text, @Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case Boolean truth -> text.append(truth);
            case Double number when !Double.isFinite(number) -> quote(text, number.toString());
            case Float number when !Float.isFinite(number) -> quote(text, number.toString());
            case Number number -> text.append(number);
            case byte[] bytes -> quote(text, Base64.getEncoder().encodeToString(bytes));
            case Row row -> write(text, row.asMap());
            case Map<?, ?> map -> {
                String separator = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(separator);
                    quote(text, String.valueOf(entry.getKey()));
                    text.append(':');
                    write(text, entry.getValue());
                    separator = ",";
                }
                text.append(map.isEmpty() ? "{}" : "}");
            }
            case Iterable<?> items -> {
                text.append('[');
                String separator = "";
                for (Object item : items) {
                    text.append(separator);
                    write(text, item);
                    separator = ",";
                }
                text.append(']');
            }
            default -> quote(text, value.toString());
        }
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c) && isLone(value, i)) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isLone(String value, int at) {
        return Character.isHighSurrogate(value.charAt(at))
                ? at + 1 == value.length() || !Character.isLowSurrogate(value.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(value.charAt(at - 1));
    }
}
