package dev.millrace.internal.source;

import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.column.JavaTypes;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Converts Java values of a program to rows: a [Row], a Map or a record provides its columns, anything else the column
/// `item`. The schema is inferred on the way: columns in order of appearance, each with the common type of its values.
final class ItemValues {
    static final String ITEM = "item";

    private final String verb;
    private final Map<String, DataType> types = new LinkedHashMap<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    /// @param verb named in errors
    ItemValues(String verb) {
        this.verb = verb;
    }

    void add(Object item) {
        Map<String, Object> row = columns(verb, item);
        row.forEach((name, value) -> types.put(name, common(name, types.get(name), value)));
        rows.add(row);
    }

    int size() {
        return rows.size();
    }

    Schema schema() {
        return Schema.of(types.entrySet().stream()
                .map(column -> new Field(column.getKey(), column.getValue()))
                .toList());
    }

    /// The values of each row in the order of the schema, null for a missing column.
    Object[][] values() {
        List<String> names = List.copyOf(types.keySet());
        Object[][] values = new Object[rows.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = inOrder(rows.get(i), names);
        }
        return values;
    }

    static Object[] inOrder(Map<String, Object> row, List<String> names) {
        Object[] values = new Object[names.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.get(names.get(i));
        }
        return values;
    }

    /// The item's columns by name.
    static Map<String, Object> columns(String verb, @Nullable Object item) {
        return switch (item) {
            case Row row -> row.asMap();
            case Record value -> RecordCodec.of(value.getClass()).toMap(value);
            case Map<?, ?> map -> {
                Map<String, Object> row = LinkedHashMap.newLinkedHashMap(map.size());
                map.forEach((key, value) -> {
                    if (!(key instanceof String name)) {
                        throw MillraceException.user(
                                verb + ": a map becomes a row by its keys, which must be strings, not " + key + ".");
                    }
                    row.put(name, value);
                });
                yield row;
            }
            case null, default -> {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put(ITEM, item);
                yield row;
            }
        };
    }

    private DataType common(String name, @Nullable DataType before, @Nullable Object value) {
        try {
            DataType type = JavaTypes.infer(value);
            return before == null || before.equals(type) ? type : Types.unify(before, type);
        } catch (MillraceException e) {
            throw new MillraceException(
                    Culprit.USER,
                    verb + ": column '" + name + "' of row " + rows.size() + " does not fit. " + e.getMessage()
                            + " The value is " + value + ".",
                    e);
        }
    }
}
