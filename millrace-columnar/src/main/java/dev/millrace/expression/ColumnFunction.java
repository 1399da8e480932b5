package dev.millrace.expression;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;

/// A function of whole columns that any module may add to expressions: `new ColumnCall(function, arguments)`. It is an
/// immutable value that holds its options, so that equal calls are equal, and deterministic. What differs from a user's
/// function ([UserFunction.OfColumns]) is that its result type follows from its arguments' types and is checked at the
/// call, and that its errors are its own.
public interface ColumnFunction extends Serializable {
    /// A call of it as errors and `explain()` show it: "resize(image, 256, 256)".
    String text(List<String> arguments);

    /// The type of the result.
    ///
    /// @param arguments their types; of dictionaries those of the values
    /// @throws dev.millrace.error.MillraceException culprit USER, with a sentence, for arguments that do not fit
    DataType type(List<DataType> arguments);

    /// The result for all rows, with one reference to each of its buffers, as a builder's column has; null where an
    /// argument is null, unless the function says otherwise. Called by several threads at once.
    ///
    /// @param arguments of the types that [#type] allowed and equal lengths; they live until this returns
    /// @throws dev.millrace.error.MillraceException culprit DATA, for values that do not fit, naming the first such
    /// row:
    ///     ", in row 3 of the block". An error policy makes it compute the other rows again
    Column apply(List<Column> arguments, Allocator allocator) throws Exception;
}
