package dev.millrace.internal.models;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;

/// The schema of a batch to which a function adds columns.
public final class AddedColumns {
    private AddedColumns() {}

    /// A column with an existing name replaces it in place, any other is appended, as in `Batch.with`.
    public static Schema to(Schema input, List<Field> added) {
        Schema schema = input;
        for (Field field : added) {
            schema = schema.with(field);
        }
        return schema;
    }

    /// @param function the name of the function, for the error
    /// @throws MillraceException culprit USER, if the column is missing or not text
    public static void requireText(String function, Schema input, String column) {
        DataType type = input.fields().get(input.require(column, function)).type();
        DataType plain = type instanceof DataType.Dictionary words ? words.value() : type;
        if (!(plain instanceof DataType.Utf8)) {
            throw notText(column, type);
        }
    }

    public static MillraceException notText(String column, DataType type) {
        return MillraceException.user("Column '" + column + "' is " + type + ", not text.");
    }
}
