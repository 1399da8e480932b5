package dev.millrace.internal.arrow;

import dev.millrace.error.MillraceException;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of an IPC stream or file, and the corresponding schema.
final class WireSchema {
    private final List<WireField> fields;
    private final Schema schema;
    private final Map<Long, WireField> dictionaries = new LinkedHashMap<>();

    /// @param where named in the error when two columns have the same name
    WireSchema(List<WireField> fields, String where) {
        this.fields = List.copyOf(fields);
        try {
            this.schema = Schema.of(fields.stream()
                    .map(field -> new Field(field.name(), field.type()))
                    .toList());
        } catch (MillraceException e) {
            throw MillraceException.data(where + ": " + e.getMessage());
        }
        fields.forEach(field -> field.forEachDictionary((id, values) -> {
            WireField other = dictionaries.putIfAbsent(id, values);
            if (other != null && !other.type().equals(values.type())) {
                throw MillraceException.data(where + ": dictionary " + id + " is declared with values of type "
                        + other.type() + " and of type " + values.type() + ".");
            }
        }));
    }

    List<WireField> fields() {
        return fields;
    }

    Schema schema() {
        return schema;
    }

    /// The fields that describe each dictionary's values, by id, inner dictionaries first.
    Map<Long, WireField> dictionaries() {
        return dictionaries;
    }
}
