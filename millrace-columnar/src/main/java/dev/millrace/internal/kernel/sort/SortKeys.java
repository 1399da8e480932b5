package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Checks sort keys against a schema.
public final class SortKeys {
    private SortKeys() {}

    /// @throws MillraceException culprit USER, naming a missing column and the available ones, or one without order
    public static void check(List<SortKey> keys, Schema schema, String verb) {
        for (SortKey key : keys) {
            DataType type = schema.field(schema.require(key.column(), verb)).type();
            if (!Types.hasOrder(type)) {
                throw MillraceException.user(noOrder(key.column(), type));
            }
        }
    }

    /// Values of a key as bytes that compare with [KeyBytes] of rows that have this key first.
    ///
    /// @throws MillraceException culprit USER, for values that do not fit the type or are not in the key's order
    public static List<byte[]> boundaries(SortKey key, DataType type, List<?> values) {
        if (values.isEmpty()) {
            throw MillraceException.user("sort: give at least one boundary, or sort without any.");
        }
        DataType plain = type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
        List<byte[]> bytes = new ArrayList<>();
        Column column = Columns.of(Allocator.collected("boundaries"), plain, values);
        try (Block block = Block.of(Schema.of(key.column(), plain), List.of(column), column.length())) {
            KeyBytes keys = KeyBytes.of(block, List.of(key));
            for (long row = 0; row < block.rows(); row++) {
                bytes.add(keys.of(row));
                int last = bytes.size() - 1;
                if (last > 0 && Arrays.compareUnsigned(bytes.get(last - 1), bytes.get(last)) >= 0) {
                    throw MillraceException.user(
                            "sort: the boundaries " + values + " do not stand in the order of " + key + ", each once.");
                }
            }
        }
        return bytes;
    }

    static String noOrder(String column, DataType type) {
        return "sort: the column '" + column + "' is " + type
                + ", whose values have no order. Sort by a column of numbers, text or times, or by one that an expression"
                + " makes of it.";
    }
}
