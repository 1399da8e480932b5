package dev.millrace.aggregate;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One value for each group, computed of a column.
///
/// @param column what it is computed of; null for the count of rows
/// @param name of the output's column
/// @param arguments which quantiles, how many values, how many degrees of freedom less; empty where there is nothing to
///     say
/// @param definition of a user's own; null for the others
public record Aggregate(
        AggregateFunction function,
        @Nullable String column,
        String name,
        List<Double> arguments,
        @Nullable AggregateDefinition<?> definition)
        implements Serializable {
    public Aggregate {
        Objects.requireNonNull(function);
        Objects.requireNonNull(name);
        arguments = List.copyOf(arguments);
    }

    /// The same under another name.
    public Aggregate as(String other) {
        return new Aggregate(function, column, other, arguments, definition);
    }

    /// As it is written, `sum(price)`, whatever its name.
    @Override
    public String toString() {
        return function == AggregateFunction.DEFINED
                ? name
                : function.verb() + "(" + (column == null ? "" : column) + ")";
    }
}
