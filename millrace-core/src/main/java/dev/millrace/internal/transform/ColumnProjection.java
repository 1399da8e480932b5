package dev.millrace.internal.transform;

import dev.millrace.expression.Expression;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/// The output columns, and how they are computed. Against a known schema every form resolves to a [Select].
public sealed interface ColumnProjection extends Serializable {
    /// An output column and its expression.
    record Named(String name, Expression expression) implements Serializable {}

    /// Exactly these columns, in this order.
    record Select(List<Named> columns) implements ColumnProjection {
        public Select {
            columns = List.copyOf(columns);
        }
    }

    record Drop(List<String> columns) implements ColumnProjection {
        public Drop {
            columns = List.copyOf(columns);
        }
    }

    /// Old name to new name; the others stay.
    record Rename(Map<String, String> names) implements ColumnProjection {
        public Rename {
            names = Map.copyOf(names);
        }
    }

    /// All columns under new names, in their order.
    record RenameAll(List<String> names) implements ColumnProjection {
        public RenameAll {
            names = List.copyOf(names);
        }
    }

    /// All columns, these added at the end or replaced in place.
    record WithColumns(List<Named> columns) implements ColumnProjection {
        public WithColumns {
            columns = List.copyOf(columns);
        }
    }
}
