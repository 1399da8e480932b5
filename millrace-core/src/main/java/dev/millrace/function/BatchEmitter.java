package dev.millrace.function;

import dev.millrace.batch.Batch;

/// Takes the batches of a [BatchFlatFunction], on the thread that calls the function, until the function returns.
public interface BatchEmitter {
    /// Hands the rows on to the steps that follow. Waits while these have more than they can take, and ends the
    /// function with an exception, which it should let pass, if its run has ended or a following step has failed.
    ///
    /// The columns of a batch must be of equal length.
    ///
    /// @return false once no more rows are needed, behind a limit for example: then the function may return. What it
    ///     emits afterwards is dropped
    boolean emit(Batch batch);
}
