package dev.millrace.internal.transform;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.internal.expression.ExpressionTypes;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Resolves projections against a schema: the plan does so if the schema is known, a task if only the data has it. Both
/// report the same errors.
public final class ProjectionResolution {
    private ProjectionResolution() {}

    /// The same projection as a plain list of named expressions.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER: for a column that is missing or occurs twice
    public static ColumnProjection.Select resolve(ColumnProjection projection, Schema input) {
        return switch (projection) {
            case ColumnProjection.Select select -> select;
            case ColumnProjection.Drop drop -> {
                drop.columns().forEach(name -> input.require(name, "drop"));
                yield keep(input.names().stream()
                        .filter(name -> !drop.columns().contains(name))
                        .toList());
            }
            case ColumnProjection.Rename rename -> {
                rename.names().keySet().forEach(name -> input.require(name, "rename"));
                yield new ColumnProjection.Select(input.names().stream()
                        .map(name -> new ColumnProjection.Named(
                                rename.names().getOrDefault(name, name), Expressions.col(name)))
                        .toList());
            }
            case ColumnProjection.RenameAll renamed -> {
                requireAsMany(renamed.names(), input.names());
                yield new ColumnProjection.Select(IntStream.range(0, input.size())
                        .mapToObj(i -> new ColumnProjection.Named(
                                renamed.names().get(i),
                                Expressions.col(input.names().get(i))))
                        .toList());
            }
            case ColumnProjection.WithColumns added -> {
                Map<String, Expression> columns = new LinkedHashMap<>();
                input.names().forEach(name -> columns.put(name, Expressions.col(name)));
                added.columns().forEach(column -> columns.put(column.name(), column.expression()));
                yield select(columns);
            }
        };
    }

    private static void requireAsMany(List<String> names, List<String> columns) {
        if (names.size() != columns.size()) {
            throw MillraceException.user("rename: " + names.size() + (names.size() == 1 ? " name" : " names") + " for "
                    + columns.size() + (columns.size() == 1 ? " column, " : " columns, ") + columns
                    + ". Give one for each, or name those that change: rename(Map.of(\"old\", \"new\")).");
        }
    }

    /// The output schema of a resolved projection; infers the type of every expression.
    public static Schema schemaOf(ColumnProjection.Select select, Schema input) {
        List<Field> fields = new ArrayList<>();
        for (ColumnProjection.Named column : select.columns()) {
            fields.add(new Field(column.name(), ExpressionTypes.typeOf(column.expression(), input)));
        }
        return Schema.of(fields);
    }

    /// The columns of the left, then those of the right; a name of the right that is already used gets `_1`, `_2` and
    /// so on.
    public static Schema zipped(Schema left, Schema right) {
        List<Field> fields = new ArrayList<>(left.fields());
        Set<String> taken = new HashSet<>(left.names());
        for (Field field : right.fields()) {
            String name = field.name();
            for (int suffix = 1; taken.contains(name); suffix++) {
                name = field.name() + "_" + suffix;
            }
            taken.add(name);
            fields.add(new Field(name, field.type()));
        }
        return Schema.of(fields);
    }

    public static ColumnProjection.Select keep(List<String> names) {
        return new ColumnProjection.Select(names.stream()
                .map(name -> new ColumnProjection.Named(name, Expressions.col(name)))
                .toList());
    }

    private static ColumnProjection.Select select(Map<String, Expression> columns) {
        return new ColumnProjection.Select(columns.entrySet().stream()
                .map(column -> new ColumnProjection.Named(column.getKey(), column.getValue()))
                .toList());
    }
}
