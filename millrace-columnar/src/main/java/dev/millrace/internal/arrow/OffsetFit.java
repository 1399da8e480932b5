package dev.millrace.internal.arrow;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;

/// Checks whether a column's values can be written with the offset width that the schema declares.
final class OffsetFit {
    private OffsetFit() {}

    /// @param limit the largest offset of a 32-bit field
    static boolean fits(WireField field, Column column, long limit) {
        if (column instanceof OffsetColumn offsets && width(field) == Integer.BYTES && offsets.extent() > limit) {
            return false;
        }
        return switch (column) {
            case VariableWidthColumn _ -> true;
            case ListColumn list -> fits(field.child(0), list.elements().slice(list.first(), list.extent()), limit);
            case MapColumn map -> {
                WireField entries = field.child(0);
                yield fits(entries.child(0), map.keys().slice(map.first(), map.extent()), limit)
                        && fits(entries.child(1), map.items().slice(map.first(), map.extent()), limit);
            }
            case FixedListColumn list -> fits(field.child(0), list.elements(), limit);
            case StructColumn struct -> {
                boolean all = true;
                for (int i = 0; i < struct.size(); i++) {
                    all &= fits(field.child(i), struct.child(i), limit);
                }
                yield all;
            }
            case VariableTensorColumn tensors -> fits(field.child(0), tensors.data(), limit);
            case BooleanColumn _, DictionaryColumn _, FixedWidthColumn _, NullColumn _ -> true;
        };
    }

    private static int width(WireField field) {
        return switch (field.layout()) {
            case ArrowLayout.Variable(int width) -> width;
            case ArrowLayout.Lists(int width) -> width;
            default -> Integer.BYTES;
        };
    }
}
