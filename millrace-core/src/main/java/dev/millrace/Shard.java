package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.internal.consume.StreamingSplit;
import dev.millrace.internal.stats.StatsText;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Schema;
import java.util.Optional;

/// One consumer's part of a streaming split. Each iteration is an epoch: it begins when every open shard has requested
/// it, and runs the dataset again; so does [#materialize]. Shards are read on threads of their own.
///
/// Whole blocks go to a shard that waits for one, of several to the one with the fewest rows so far: readers of one
/// speed get about the same number of rows, and a slow one holds up nobody. If all shards are to get exactly the same
/// number of rows, blocks are cut where needed, and a slow reader blocks the others. A closed shard does not.
///
/// The others wait for a shard that is not read: a warning names it after ten seconds without activity, and after the
/// stall timeout ([dev.millrace.settings.FaultSettings]) it is an error for the waiting ones.
public final class Shard implements AutoCloseable {
    private final Dataset dataset;
    private final StreamingSplit.SplitShard shard;

    Shard(Dataset dataset, StreamingSplit.SplitShard shard) {
        this.dataset = dataset;
        this.shard = shard;
    }

    /// Which of the shards this is, from 0.
    public int index() {
        return shard.index();
    }

    /// This shard's batches of the next epoch, as the dataset's settings say.
    public CloseableIterator<Batch> iterBatches() {
        return iterBatches(BatchOptions.defaults());
    }

    /// The same in batches of this many rows.
    public CloseableIterator<Batch> iterBatches(int batchSize) {
        return iterBatches(BatchOptions.of(batchSize));
    }

    /// The same with options.
    public CloseableIterator<Batch> iterBatches(BatchOptions options) {
        return shard.iterBatches(options);
    }

    /// This shard's tensors of the next epoch, see [Dataset#iterTensorBatches].
    public CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options) {
        return shard.iterTensorBatches(options);
    }

    /// This shard's rows of the next epoch.
    public CloseableIterator<Row> iterRows() {
        return shard.iterRows();
    }

    /// The columns of the dataset, which every shard has; see [Dataset#schema]. This is no epoch: no shard waits for
    /// another.
    public Schema schema() {
        return dataset.schema();
    }

    /// Keeps this shard's part of the next epoch as a dataset of its own, which the caller closes; the other shards
    /// have to read theirs meanwhile.
    public MaterializedDataset materialize() {
        return dataset.kept(shard.materialize());
    }

    /// The statistics of this shard's latest epoch, as text: what this shard got, and the run that all shards share.
    public String stats() {
        return shard.latest()
                .map(part -> "Shard " + index() + " of " + part.shards() + ": " + part.rows() + " rows in "
                        + part.blocks() + " blocks of epoch " + part.epoch() + ".\n" + StatsText.format(part.run()))
                .orElseGet(() -> "Shard " + index() + " has not been read yet.");
    }

    /// The statistics of the run that this shard's latest epoch shares with the others.
    public Optional<RunStats> lastRun() {
        return shard.latest().map(StreamingSplit.ShardEpoch::run);
    }

    /// Leaves the split permanently: later epochs wait only for the others. Blocks queued for this shard are dropped;
    /// the rest of the epoch goes to the others.
    @Override
    public void close() {
        shard.close();
    }
}
