package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// Whether a row is kept. The argument is valid until the function returns.
@FunctionalInterface
public interface RowPredicate extends Serializable {
    /// Whether the row is kept. It may be called again for the same row.
    boolean test(Row row) throws Exception;
}
