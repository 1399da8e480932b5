package dev.millrace.function;

import java.io.Serializable;

/// One of the user's records in, one value or record out.
@FunctionalInterface
public interface RecordFunction<I, O> extends Serializable {
    /// The result. It may be called again for the same record.
    O apply(I input) throws Exception;
}
