package dev.millrace.internal.expression;

import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Expression;
import dev.millrace.expression.FieldAccess;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The columns, and the fields of structs, that expressions read.
public final class UsedFields {
    /// The names on the path from a column to a field.
    private final Set<List<String>> paths = new HashSet<>();

    public void add(Expression expression) {
        List<String> path = path(expression);
        if (path != null) {
            paths.add(path);
        } else {
            expression.children().forEach(this::add);
        }
    }

    /// Null for anything but a column or a field of one.
    private static @Nullable List<String> path(Expression expression) {
        return switch (expression) {
            case ColumnReference column -> List.of(column.name());
            case FieldAccess access -> {
                List<String> outer = path(access.input());
                if (outer == null) {
                    yield null;
                }
                List<String> all = new ArrayList<>(outer);
                all.add(access.field());
                yield all;
            }
            default -> null;
        };
    }

    /// The same columns, with structs reduced to the used fields. A column that is not used is unchanged.
    public Schema narrow(Schema schema) {
        return Schema.of(narrow(schema.fields(), paths));
    }

    private static List<Field> narrow(List<Field> fields, Set<List<String>> used) {
        Map<String, Set<List<String>>> below = new HashMap<>();
        for (List<String> path : used) {
            below.computeIfAbsent(path.getFirst(), _ -> new HashSet<>()).add(path.subList(1, path.size()));
        }
        return fields.stream()
                .map(field -> below.containsKey(field.name())
                        ? new Field(field.name(), narrow(field.type(), below.get(field.name())))
                        : field)
                .toList();
    }

    private static DataType narrow(DataType type, Set<List<String>> used) {
        if (!(type instanceof DataType.Struct struct) || used.contains(List.<String>of())) {
            return type;
        }
        Set<String> names = new HashSet<>();
        used.forEach(path -> names.add(path.getFirst()));
        return new DataType.Struct(narrow(
                struct.fields().stream()
                        .filter(field -> names.contains(field.name()))
                        .toList(),
                used));
    }
}
