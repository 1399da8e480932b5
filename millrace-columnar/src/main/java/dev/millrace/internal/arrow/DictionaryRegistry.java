package dev.millrace.internal.arrow;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import java.util.HashMap;
import java.util.Map;

/// The dictionaries that a reader has met, by id. Holds one reference to each until it is replaced or [#close]d;
/// columns made of them hold their own.
final class DictionaryRegistry implements AutoCloseable {
    private final Map<Long, Column> byId = new HashMap<>();

    /// The dictionary's values, or null when it has not come yet.
    Column get(long id) {
        return byId.get(id);
    }

    /// Stands in for a dictionary that never came because nothing refers to it.
    Column empty(WireField values, long id) {
        Column empty = Columns.empty(values.type());
        byId.put(id, empty);
        return empty;
    }

    /// Takes over the column's references; a dictionary of the same id is replaced.
    void put(long id, Column column) {
        Column before = byId.put(id, column);
        if (before != null) {
            before.release();
        }
    }

    /// Takes over the column's references; its values follow those already there.
    void append(long id, Column more, Allocator allocator) {
        Column before = byId.get(id);
        if (before == null || before.length() == 0) {
            put(id, more);
            return;
        }
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, before.type(), before.length() + more.length())) {
            for (Column part : new Column[] {before, more}) {
                for (long i = 0; i < part.length(); i++) {
                    builder.append(part.value(i));
                }
            }
            put(id, builder.build());
        } finally {
            more.release();
        }
    }

    @Override
    public void close() {
        byId.values().forEach(Column::release);
        byId.clear();
    }
}
