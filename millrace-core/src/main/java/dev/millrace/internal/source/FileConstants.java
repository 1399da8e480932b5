package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.text.TextValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The constants that a file's path defines for its rows: the path itself, and the keys and values of folders named
/// `key=value`.
///
/// @param keys in the order of the folders; a null value is Hive's name for null
/// @param given values that do not come from the path, by column
public record FileConstants(String file, Map<String, String> keys, Map<String, Object> given) {
    public static final String PATH = "path";
    private static final String HIVE_NULL = "__HIVE_DEFAULT_PARTITION__";

    public static FileConstants of(String file, boolean hive) {
        Map<String, String> keys = new LinkedHashMap<>();
        Path folder = Path.of(file).getParent();
        if (hive && folder != null) {
            for (Path part : folder) {
                String name = part.toString();
                int equals = name.indexOf('=');
                if (equals > 0) {
                    String value = decode(name.substring(equals + 1));
                    keys.put(decode(name.substring(0, equals)), value.equals(HIVE_NULL) ? null : value);
                }
            }
        }
        return new FileConstants(file, keys, Map.of());
    }

    /// Values from another origin than the path.
    public static FileConstants given(String file, Map<String, Object> values) {
        return new FileConstants(file, Map.of(), values);
    }

    private static String decode(String text) {
        try {
            // A plus is a plus here; only %xx is decoded.
            return text.indexOf('%') < 0 ? text : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /// The columns that the paths of these files define: integers and dates if all values are such, else strings.
    public static List<Field> partitions(List<FileConstants> files, Map<String, DataType> given) {
        List<Field> fields = new ArrayList<>();
        for (String key : files.getFirst().keys.keySet()) {
            DataType type = given.get(key);
            if (type == null) {
                List<String> values = files.stream()
                        .map(file -> file.keys.get(key))
                        .filter(value -> value != null)
                        .toList();
                boolean some = !values.isEmpty();
                type = some && values.stream().allMatch(FileConstants::isInteger)
                        ? DataType.INT64
                        : some && values.stream().allMatch(FileConstants::isDate) ? DataType.DATE : DataType.UTF8;
            }
            fields.add(new Field(key, type));
        }
        return fields;
    }

    /// Digits that are printed back unchanged: "007" is a string.
    private static boolean isInteger(String text) {
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == 10 && LocalDate.parse(text).toString().equals(text);
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /// Whether a condition over columns of the path is true for this file.
    ///
    /// @param columns those of the condition
    public boolean passes(Expression condition, Schema columns) {
        Allocator scratch = Allocator.collected("partition values");
        List<Column> values = new ArrayList<>();
        for (Field field : columns.fields()) {
            values.add(Columns.constant(scratch, field.type(), value(field), 1));
        }
        try (Block row = Block.of(columns, values, 1)) {
            return !BoundExpression.bind(condition, columns)
                    .select(row, scratch)
                    .isEmpty();
        }
    }

    /// The value of a column of the path.
    public @Nullable Object value(Field field) {
        if (given.containsKey(field.name())) {
            return given.get(field.name());
        }
        if (!keys.containsKey(field.name())) {
            if (field.name().equals(PATH)) {
                return file;
            }
            throw MillraceException.data("'" + file + "' lies in no folder '" + field.name()
                    + "=...', as the first file does. Read them apart, or without partitions.");
        }
        String text = keys.get(field.name());
        Object value = text == null ? null : parse(text, field.type());
        if (text != null && value == null) {
            throw MillraceException.data("'" + text + "' in the path '" + file + "' is no " + field.type()
                    + new TextValues().problem(text, field.type())
                    + ". Give the type in the options of the read: partition(\"" + field.name()
                    + "\", DataType.UTF8).");
        }
        return value;
    }

    /// Null if it is not a value of the type.
    private static @Nullable Object parse(String text, DataType type) {
        return switch (type) {
            case DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _ -> new TextValues().value(text, type);
            // Texts, and types that a folder's name cannot express.
            default -> text;
        };
    }
}
