package dev.millrace.expression;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A user function in an expression: a serialisable lambda. Scalar functions are called once per row with the Java
/// values that [Column#value] describes, including null, and may return null. An exception stops the run with an error
/// that names the function and the row.
public sealed interface UserFunction extends Serializable {

    /// A function of one value.
    @FunctionalInterface
    non-sealed interface Of1<A extends @Nullable Object, R extends @Nullable Object> extends UserFunction {
        /// Called for each row, with null for null values.
        R apply(A first) throws Exception;
    }

    /// A function of two values.
    @FunctionalInterface
    non-sealed interface Of2<A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            extends UserFunction {
        /// See [Of1#apply].
        R apply(A first, B second) throws Exception;
    }

    /// A function of three values.
    @FunctionalInterface
    non-sealed interface Of3<
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            extends UserFunction {
        /// See [Of1#apply].
        R apply(A first, B second, C third) throws Exception;
    }

    /// Called once per block with whole columns, which are valid until it returns. The result has the same number of
    /// values, the declared type, and one reference to each of its buffers (like a column from a builder).
    @FunctionalInterface
    non-sealed interface OfColumns extends UserFunction {
        /// Returns one column with the same number of rows, allocated from the allocator.
        Column apply(List<Column> columns, Allocator allocator) throws Exception;
    }
}
