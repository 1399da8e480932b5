package dev.millrace.function;

import dev.millrace.batch.Row;
import java.io.Serializable;

/// Whether a row stays. The row handed in is valid until the function returns.
@FunctionalInterface
public interface RowPredicate extends Serializable {
    /// Whether the row stays. It may run again for the same row.
    boolean test(Row row) throws Exception;
}
