package dev.millrace.preprocess;

import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.CategoryTable;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks of columns shared by preprocessors; error messages begin with the preprocessor's name.
final class PreprocessorChecks {
    private PreprocessorChecks() {}

    /// The error of a column in which no row has a value.
    static MillraceException nothingToLearn(String who, String column) {
        return MillraceException.data(who + ": the column '" + column + "' has no values to learn from.");
    }

    /// Requires at least one column and no duplicates.
    public static List<String> columns(String who, String... columns) {
        if (columns.length == 0) {
            throw MillraceException.user(who + ": give at least one column.");
        }
        Set<String> seen = new HashSet<>();
        for (String column : columns) {
            if (!seen.add(column)) {
                throw MillraceException.user(who + ": the column '" + column + "' is named twice.");
            }
        }
        return List.of(columns);
    }

    /// Requires as many outputs as columns.
    public static List<String> outputs(String who, List<String> columns, String... outputs) {
        if (outputs.length != columns.size()) {
            throw MillraceException.user(who + ": " + outputs.length + " output columns for " + columns.size()
                    + " columns. Give one for each of " + columns + ".");
        }
        return columns(who, outputs);
    }

    public static void requireNumbers(String who, Schema schema, List<String> columns) {
        for (String column : columns) {
            DataType type = typeOf(who, schema, column);
            if (!type.isNumeric() && !(type instanceof DataType.Decimal) && !(type instanceof DataType.Null)) {
                throw MillraceException.user(
                        who + ": the column '" + column + "' is " + type + ", but numbers are needed.");
            }
        }
    }

    public static void requireCategories(String who, Schema schema, List<String> columns) {
        for (String column : columns) {
            DataType type = typeOf(who, schema, column);
            if (!CategoryTable.isFor(type) && !(type instanceof DataType.Null)) {
                throw MillraceException.user(who + ": the column '" + column + "' is " + type
                        + ", but booleans, numbers, texts or dates are needed.");
            }
        }
    }

    public static void requireTexts(String who, Schema schema, List<String> columns) {
        for (String column : columns) {
            DataType type = typeOf(who, schema, column);
            if (!(type instanceof DataType.Utf8) && !(type instanceof DataType.Null)) {
                throw MillraceException.user(
                        who + ": the column '" + column + "' is " + type + ", but texts are needed.");
            }
        }
    }

    /// The type of a column's values.
    public static DataType typeOf(String who, Schema schema, String column) {
        DataType type = schema.field(schema.require(column, who)).type();
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// A constant as a value of a column's type.
    public static @Nullable Object constant(String who, String column, DataType type, Object constant) {
        if (type instanceof DataType.Null) {
            return constant;
        }
        try {
            return Columns.of(Allocator.collected("a constant"), type, List.of(constant))
                    .value(0);
        } catch (MillraceException e) {
            throw new MillraceException(
                    Culprit.USER,
                    who + ": the constant " + constant + " does not fit the column '" + column + "', which is " + type
                            + ".",
                    e);
        }
    }
}
