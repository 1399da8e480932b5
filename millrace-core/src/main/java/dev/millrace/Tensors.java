package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.internal.tensor.BatchTensors;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;

/// Batches as dense arrays, for functions that call a library of their own.
public final class Tensors {
    private Tensors() {}

    /// The columns of a batch as tensors, valid until the function that was given the batch returns, unless they are
    /// copies. Only the column options and [TensorBatchOptions#copies] are used.
    public static TensorBatch of(Batch batch, TensorBatchOptions options) {
        return BatchTensors.of(batch, options);
    }
}
