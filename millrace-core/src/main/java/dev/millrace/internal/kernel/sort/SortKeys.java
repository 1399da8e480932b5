package dev.millrace.internal.kernel.sort;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// What keys need of a schema.
public final class SortKeys {
    private SortKeys() {}

    /// @throws MillraceException culprit USER, naming a column that is not there and those that are, or one without
    /// order
    public static void check(List<SortKey> keys, Schema schema, String verb) {
        for (SortKey key : keys) {
            DataType type = schema.field(schema.require(key.column(), verb)).type();
            if (!Levels.hasOrder(type)) {
                throw MillraceException.user(noOrder(key.column(), type));
            }
        }
    }

    static String noOrder(String column, DataType type) {
        return "sort: the column '" + column + "' is " + type
                + ", whose values have no order. Sort by a column of numbers, text or times, or by one that an expression"
                + " makes of it.";
    }
}
