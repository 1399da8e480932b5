package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// One row in, any number of rows out, in order. The argument is valid until the function returns and the result is
/// consumed.
@FunctionalInterface
public interface RowFlatFunction extends Serializable {
    /// The resulting rows, consumed one by one.
    Iterable<Row> apply(Row row) throws Exception;
}
