package dev.millrace.internal.arrow;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dictionaries that a reader has read, by id. Holds one reference to each until it is replaced or [#close]d;
/// columns built from them hold their own.
final class DictionaryRegistry implements AutoCloseable {
    private final Map<Long, Column> byId = new HashMap<>();

    /// The values of the dictionary, or null if it has not been read yet.
    @Nullable
    Column get(long id) {
        return byId.get(id);
    }

    /// An empty dictionary, for one that was omitted because nothing refers to it.
    Column empty(WireField values, long id) {
        Column empty = Columns.empty(values.type());
        byId.put(id, empty);
        return empty;
    }

    /// Takes ownership of the column's references; a dictionary with the same id is replaced.
    void put(long id, Column column) {
        Column before = byId.put(id, column);
        if (before != null) {
            before.release();
        }
    }

    /// Takes ownership of the column's references; its values are appended to the existing ones.
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
