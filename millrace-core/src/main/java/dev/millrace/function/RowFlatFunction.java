package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// One row in, any number of rows out, in order. The row handed in is valid until the function returns and the
/// result is consumed.
@FunctionalInterface
public interface RowFlatFunction extends Serializable {
    /// The rows that take its place, taken one by one.
    Iterable<Row> apply(Row row) throws Exception;
}
