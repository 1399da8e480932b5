package dev.millrace.iteration;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;

/// One consumer's part of a streaming split. Each iteration is an epoch: it begins when every open shard has requested
/// it, and runs the dataset again. Shards are read on threads of their own. Blocks go to the shard with the least
/// queued; if all get the same number of rows, a slow reader blocks the others. A closed shard does not.
///
/// The others wait for a shard that is not read: a warning names it after ten seconds without activity, and after the
/// stall timeout ([dev.millrace.settings.FaultSettings]) it is an error for the waiting ones.
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

    /// Leaves the split permanently: later epochs wait only for the others. Blocks queued for this shard are dropped;
    /// the rest of the epoch goes to the others.
    @Override
    void close();
}
