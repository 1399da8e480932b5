package dev.millrace.function;

import dev.millrace.batch.Batch;
import java.io.Serializable;

/// One batch in, any number of batches out, each handed on while the function still runs:
///
/// ```java
/// (batch, out) -> {
///     for (long from = 0; from < batch.rows(); from += 100) {
///         out.emit(render(batch.slice(from, Math.min(100, batch.rows() - from))));
///     }
/// }
/// ```
///
/// The argument, and its columns, are valid until the function returns, and so is what the function makes before it
/// emits for the first time. What it makes later is valid until its next emit: so a function that emits for hours needs
/// the memory of one batch. Keep a `batch.copy()` of what is needed longer.
@FunctionalInterface
public interface BatchFlatFunction extends Serializable {
    /// Emits the replacing rows, in order. It may be called again for the same batch, and must emit the same then.
    void apply(Batch batch, BatchEmitter out) throws Exception;
}
