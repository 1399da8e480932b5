package dev.millrace.preprocess;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Converts types of categories to text and back.
final class TypeText {
    private static final List<DataType> PLAIN = List.of(
            DataType.NULL,
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.UTF8,
            DataType.DATE);
    private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d+), (-?\\d+)\\)");

    private TypeText() {}

    static DataType parse(String text) {
        for (DataType type : PLAIN) {
            if (type.toString().equals(text)) {
                return type;
            }
        }
        Matcher decimal = DECIMAL.matcher(text);
        if (decimal.matches()) {
            return DataType.decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
        }
        throw new IllegalArgumentException("'" + text + "' is no type of categories");
    }
}
