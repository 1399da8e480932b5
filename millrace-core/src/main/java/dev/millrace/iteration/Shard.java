package dev.millrace.iteration;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;

/// One consumer's part of a streaming split. Each iteration is an epoch: it begins when every open shard has asked for
/// it, and runs the dataset anew. Shards are read on threads of their own. Blocks go to whoever has the least waiting;
/// where all get the same number of rows, one that reads slowly holds the others back. One that is closed does not.
///
/// A shard that nobody reads is waited for: a warning names it after ten seconds in which nothing was read there, and
/// after the stall timeout ([dev.millrace.settings.FaultSettings]) it is an error for those who wait.
public interface Shard extends AutoCloseable {
    /// Which of the shards this is, from 0.
    int index();

    /// This shard's batches of the next epoch, as the session's settings say.
    CloseableIterator<Batch> iterBatches();

    /// The same with options.
    CloseableIterator<Batch> iterBatches(BatchOptions options);

    /// See [dev.millrace.Dataset#iterTensorBatches].
    CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options);

    /// This shard's rows of the next epoch.
    CloseableIterator<Row> iterRows();

    /// Leaves the split for good: later epochs wait for the others only. What was waiting for this shard is dropped;
    /// the rest of the epoch goes to the others.
    @Override
    void close();
}
