package dev.millrace.type;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.wording.SimilarNames;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The columns of a dataset, in order, with unique names. Immutable.
public final class Schema implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Schema EMPTY = new Schema(List.of());

    private final List<Field> fields;
    private final HashMap<String, Integer> positions;

    private Schema(List<Field> fields) {
        this.fields = List.copyOf(fields);
        this.positions = HashMap.newHashMap(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            if (positions.put(fields.get(i).name(), i) != null) {
                throw MillraceException.user("There are two columns named '"
                        + fields.get(i).name() + "'. Rename one of them: column names must be unique. Columns: "
                        + names(fields) + ".");
            }
        }
    }

    /// Columns in this order; a duplicate name is an error.
    public static Schema of(Field... fields) {
        return new Schema(List.of(fields));
    }

    /// Columns in this order; a duplicate name is an error.
    public static Schema of(List<Field> fields) {
        return new Schema(fields);
    }

    /// One column.
    public static Schema of(String name, DataType type) {
        return new Schema(List.of(new Field(name, type)));
    }

    /// Two columns.
    public static Schema of(String name1, DataType type1, String name2, DataType type2) {
        return new Schema(List.of(new Field(name1, type1), new Field(name2, type2)));
    }

    /// No columns.
    public static Schema empty() {
        return EMPTY;
    }

    /// All columns, in their order.
    public List<Field> fields() {
        return fields;
    }

    /// A column by its position.
    public Field field(int position) {
        return fields.get(position);
    }

    /// The number of columns.
    public int size() {
        return fields.size();
    }

    /// The names of the columns, in order.
    public List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    /// Whether there is a column of this name.
    public boolean contains(String name) {
        return positions.containsKey(name);
    }

    /// The position of a column, or -1.
    public int indexOf(String name) {
        Integer position = positions.get(name);
        return position == null ? -1 : position;
    }

    /// The position of a column that must exist; `verb` names the caller in the error, e.g. "select".
    public int require(String name, String verb) {
        Integer position = positions.get(name);
        if (position == null) {
            throw MillraceException.user(verb + ": there is no column '" + name + "'."
                    + SimilarNames.suggestion(name, names()) + " The columns are " + names(fields) + ".");
        }
        return position;
    }

    /// The type of a column; a missing one is an error.
    public DataType type(String name) {
        return fields.get(require(name, "type")).type();
    }

    /// The schema with this field: in the place of one with its name, or else last.
    public Schema with(Field field) {
        List<Field> changed = new ArrayList<>(fields);
        int position = indexOf(field.name());
        if (position < 0) {
            changed.add(field);
        } else {
            changed.set(position, field);
        }
        return of(changed);
    }

    private static String names(List<Field> fields) {
        return fields.stream().map(Field::name).collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && schema.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return fields.stream().map(Field::toString).collect(Collectors.joining(", "));
    }
}
