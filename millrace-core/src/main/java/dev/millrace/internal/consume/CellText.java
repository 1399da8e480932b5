package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value of a row as one line of text, of bounded size: of a list, a map, a tensor or a long text the beginning. A
/// tensor shows its numbers, nested by its shape, which stands before them if they are not all there.
public final class CellText {
    /// More characters of a value are not worth reading in one line.
    private static final int MAX_LENGTH = 4_000;

    /// As many numbers of a tensor fit into any line.
    private static final int MAX_NUMBERS = 600;

    private static final MathContext FOUR_DIGITS = new MathContext(4);

    private final StringBuilder text = new StringBuilder();

    private CellText() {}

    public static String of(@Nullable Object value) {
        CellText cell = new CellText();
        cell.add(value);
        return cell.text.toString();
    }

    private boolean isFull() {
        return text.length() >= MAX_LENGTH;
    }

    private void add(@Nullable Object value) {
        switch (value) {
            case null -> text.append("null");
            case byte[] bytes -> text.append(bytes.length).append(" bytes");
            case Tensor tensor -> add(tensor);
            case List<?> list -> elements("[", list, "]");
            case Map<?, ?> map -> entries(map);
            case Row row -> fields(row);
            case String string -> line(string);
            default -> line(value.toString());
        }
    }

    /// Control characters would move the cursor of a terminal, or worse.
    private void line(String value) {
        int end = Math.min(value.length(), MAX_LENGTH);
        for (int i = 0; i < end; i++) {
            char letter = value.charAt(i);
            switch (letter) {
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (Character.isISOControl(letter)) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
                    } else {
                        text.append(letter);
                    }
                }
            }
        }
        if (end < value.length()) {
            text.append("...");
        }
    }

    private void elements(String before, Collection<?> values, String after) {
        text.append(before);
        String between = "";
        for (Object value : values) {
            text.append(between);
            if (isFull()) {
                text.append("...");
                break;
            }
            add(value);
            between = ", ";
        }
        text.append(after);
    }

    private void entries(Map<?, ?> map) {
        text.append('{');
        String between = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(between);
            if (isFull()) {
                text.append("...");
                break;
            }
            add(entry.getKey());
            text.append('=');
            add(entry.getValue());
            between = ", ";
        }
        text.append('}');
    }

    private void fields(Row row) {
        text.append('{');
        for (int i = 0; i < row.size(); i++) {
            text.append(i == 0 ? "" : ", ");
            if (isFull()) {
                text.append("...");
                break;
            }
            text.append(row.name(i)).append(": ");
            add(row.value(i));
        }
        text.append('}');
    }

    private void add(Tensor tensor) {
        int[] shape = tensor.shape();
        if (tensor.elements() > MAX_NUMBERS) {
            for (int i = 0; i < shape.length; i++) {
                text.append(i == 0 ? "" : "x").append(shape[i]);
            }
            text.append(' ');
        }
        numbers(tensor, shape, 0, 0);
    }

    /// @return the position behind the last number, or -1 if the rest is left out
    private int numbers(Tensor tensor, int[] shape, int dimension, int from) {
        if (dimension == shape.length) {
            if (from >= MAX_NUMBERS) {
                text.append("...");
                return -1;
            }
            text.append(number(tensor, from));
            return from + 1;
        }
        text.append('[');
        int at = from;
        for (int i = 0; i < shape[dimension] && at >= 0; i++) {
            text.append(i == 0 ? "" : ", ");
            at = numbers(tensor, shape, dimension + 1, at);
        }
        text.append(']');
        return at;
    }

    /// Four digits of a float are enough to see what it is about.
    private static String number(Tensor tensor, int position) {
        if (!(tensor.element() instanceof DataType.Float)) {
            long value = tensor.getLong(position);
            return tensor.element().equals(DataType.UINT64) ? Long.toUnsignedString(value) : Long.toString(value);
        }
        double value = tensor.getDouble(position);
        if (!Double.isFinite(value) || value == 0) {
            return value == 0 ? "0" : Double.toString(value);
        }
        BigDecimal rounded = new BigDecimal(value).round(FOUR_DIGITS).stripTrailingZeros();
        return Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4 ? rounded.toString() : rounded.toPlainString();
    }
}
