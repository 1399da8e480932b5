package dev.millrace.aggregate;

import java.io.Serializable;
import java.util.Objects;

/// One value for each group, computed of a column.
///
/// @param column what it is computed of; null for the count of rows
/// @param name of the output's column
/// @param argument which quantile; 0 for the others
/// @param definition of a user's own; null for the others
public record Aggregate(
        AggregateFunction function, String column, String name, double argument, AggregateDefinition<?> definition)
        implements Serializable {
    public Aggregate {
        Objects.requireNonNull(function);
        Objects.requireNonNull(name);
    }

    /// The same under another name.
    public Aggregate as(String other) {
        return new Aggregate(function, column, other, argument, definition);
    }

    /// As it is written, `sum(price)`, whatever its name.
    @Override
    public String toString() {
        return function == AggregateFunction.DEFINED
                ? name
                : function.verb() + "(" + (column == null ? "" : column) + ")";
    }
}
