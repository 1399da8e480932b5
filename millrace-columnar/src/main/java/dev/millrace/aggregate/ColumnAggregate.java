package dev.millrace.aggregate;

import dev.millrace.column.Column;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A user-defined aggregate that gets many values of a group at once, as a column: faster than one value at a time,
/// since there is no Java object for each value. Used like an [AggregateDefinition], by [Aggregates#define].
public interface ColumnAggregate<S extends Serializable> extends AggregateDefinition<S> {
    /// The state after these values, in the order of the rows; nulls are among them.
    ///
    /// @param values at least one, of the type of the input column (for dictionaries that of their values); valid until
    ///     this returns
    S accumulate(S state, Column values) throws Exception;

    /// Never called.
    @Override
    default S accumulate(S state, @Nullable Object value) {
        throw new UnsupportedOperationException("a ColumnAggregate gets columns");
    }
}
