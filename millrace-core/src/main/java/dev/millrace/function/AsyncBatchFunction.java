package dev.millrace.function;

import dev.millrace.batch.Batch;
import java.io.Serializable;
import java.util.concurrent.CompletionStage;

/// One batch in, a future of one batch out, for functions that wait for others, such as servers:
///
/// ```java
/// batch -> client.sendAsync(request(batch), BodyHandlers.ofString())
///         .thenApply(answer -> batch.with("label", labels(answer)))
/// ```
///
/// The argument, and its columns, are valid until the future is completed; columns of it may be part of the result. The
/// future may be completed by any thread, with the result or with an exception, and batches may be made there. Several
/// calls are in flight at once, so the function has to be thread-safe with respect to itself.
@FunctionalInterface
public interface AsyncBatchFunction extends Serializable {
    /// The future of the replacing rows. Called on the task's thread, which should not wait here. It may be called
    /// again for the same batch.
    ///
    /// The future must be completed, also when the run is cancelled or has failed: the run waits for it, as it waits
    /// for a function that has not returned, since its batch is in use until then. Give requests a timeout.
    CompletionStage<Batch> apply(Batch batch) throws Exception;
}
