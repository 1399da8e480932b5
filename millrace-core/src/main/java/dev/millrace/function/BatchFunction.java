package dev.millrace.function;

import dev.millrace.batch.Batch;
import java.io.Serializable;

/// One batch in, one batch out, of any number of rows. The batch handed in, and its columns, are valid until the
/// function returns; columns of it may be part of the result.
@FunctionalInterface
public interface BatchFunction extends Serializable {
    /// The rows that take their place. It may run again for the same batch.
    Batch apply(Batch batch) throws Exception;
}
