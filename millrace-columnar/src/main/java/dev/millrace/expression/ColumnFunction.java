package dev.millrace.expression;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;

/// A function of whole columns that any module may add to expressions: `new ColumnCall(function, arguments)`. It is an
/// immutable value that contains its options, so that equal calls are equal, and it is deterministic. Unlike a user
/// function ([UserFunction.OfColumns]), its result type follows from the types of its arguments and is checked at the
/// call, and it reports its own errors.
public interface ColumnFunction extends Serializable {
    /// The text of a call in errors and `explain()`: "resize(image, 256, 256)".
    String text(List<String> arguments);

    /// The type of the result.
    ///
    /// @param arguments the types of the arguments; for dictionaries the type of their values
    /// @throws dev.millrace.error.MillraceException culprit USER, with a sentence, for arguments that are not supported
    DataType type(List<DataType> arguments);

    /// The result for all rows, with one reference to each of its buffers, like a column from a builder; null where an
    /// argument is null, unless the function says otherwise. Called by several threads at once.
    ///
    /// @param arguments of types that [#type] accepted and of equal lengths; valid until this returns
    /// @throws dev.millrace.error.MillraceException culprit DATA, for values that do not fit, naming the first such
    ///     row: ", in row 3 of the block". Under an error policy the other rows are then computed again
    Column apply(List<Column> arguments, Allocator allocator) throws Exception;
}
