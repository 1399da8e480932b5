package dev.millrace.aggregate;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One value for each group, computed from a column.
///
/// @param column the input column; null for the count of rows
/// @param name the name of the output column
/// @param arguments which quantiles, how many values, how many degrees of freedom less; empty if there are none
/// @param definition the definition of a user-defined aggregate; null for the others
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

    /// The text of the call, `sum(price)`, independent of the name.
    @Override
    public String toString() {
        return function == AggregateFunction.DEFINED
                ? name
                : function.verb() + "(" + (column == null ? "" : column) + ")";
    }
}
