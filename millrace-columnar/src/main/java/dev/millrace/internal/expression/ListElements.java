package dev.millrace.internal.expression;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;

/// The elements of a column of lists or fixed lists: those of row `r` are [#start] to [#end] of [#column].
///
/// @param size the number of elements of a fixed list, or -1
record ListElements(Column lists, Column column, int size) {

    static ListElements of(Column lists) {
        return switch (lists) {
            case ListColumn list -> new ListElements(list, list.elements(), -1);
            case FixedListColumn list -> new ListElements(list, list.elements(), list.size());
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw MillraceException.internal("no lists: " + lists.type());
        };
    }

    boolean isNull(long row) {
        return lists.isNull(row);
    }

    int start(long row) {
        return size < 0 ? (int) ((ListColumn) lists).start(row) : Math.toIntExact(row * size);
    }

    int end(long row) {
        return size < 0 ? Math.toIntExact(((ListColumn) lists).end(row)) : Math.toIntExact((row + 1) * size);
    }

    /// The number of elements; 0 for a null row.
    int count(long row) {
        return isNull(row) ? 0 : end(row) - start(row);
    }

    /// The number of elements of all rows that are not null.
    int total() {
        int total = 0;
        for (long row = 0; row < lists.length(); row++) {
            total = Math.addExact(total, count(row));
        }
        return total;
    }
}
