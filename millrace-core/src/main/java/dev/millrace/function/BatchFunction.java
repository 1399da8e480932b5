package dev.millrace.function;

import dev.millrace.batch.Batch;
import java.io.Serializable;

/// One batch in, one batch out, of any number of rows. The argument, and its columns, are valid until the function
/// returns; columns of it may be part of the result.
@FunctionalInterface
public interface BatchFunction extends Serializable {
    /// The replacing rows. It may be called again for the same batch.
    Batch apply(Batch batch) throws Exception;
}
