package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// One row in, one row out. The argument is valid until the function returns.
@FunctionalInterface
public interface RowFunction extends Serializable {
    /// The replacing row. It may be called again for the same row.
    Row apply(Row row) throws Exception;
}
