package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// One row in, one row out. The row handed in is valid until the function returns.
@FunctionalInterface
public interface RowFunction extends Serializable {
    /// The row that takes its place. It may run again for the same row.
    Row apply(Row row) throws Exception;
}
