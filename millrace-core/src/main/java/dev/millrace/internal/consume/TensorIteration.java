package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.internal.tensor.BatchTensors;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.memory.Allocator;
import org.jspecify.annotations.Nullable;

/// A consumer's batches as tensors. Cut as those of [BatchIteration] are, and converted to tensors on the prefetch
/// thread, if there is one; each ends when the next is returned, unless it is a copy.
public final class TensorIteration extends ScopedIteration<TensorBatch> {
    private final boolean copied;
    private final BatchMaker<BatchTensors.Made> maker;
    private final @Nullable BatchPrefetch<BatchTensors.Made> prefetch;

    private TensorIteration(BlockFeed feed, BatchOptions batches, TensorBatchOptions options) {
        super(feed);
        this.copied = batches.copied();
        this.maker = new Maker(feed, batches, options);
        this.prefetch = batches.prefetch() > 0 ? new BatchPrefetch<>(maker, batches.prefetch()) : null;
        opened();
    }

    /// @param batches with all values set
    public static CloseableIterator<TensorBatch> of(
            DatasetExecution execution, BatchOptions batches, TensorBatchOptions options) {
        return over(execution, batches, options);
    }

    static CloseableIterator<TensorBatch> over(BlockFeed feed, BatchOptions batches, TensorBatchOptions options) {
        return new TensorIteration(feed, batches, options);
    }

    private record Maker(BlockFeed feed, BatchCutter cutter, TensorBatchOptions options)
            implements BatchMaker<BatchTensors.Made> {
        Maker(BlockFeed feed, BatchOptions batches, TensorBatchOptions options) {
            this(feed, new BatchCutter(feed, batches), options);
        }

        @Override
        public @Nullable Planned<BatchTensors.Made> plan() {
            Planned<Block> rows = cutter.plan();
            return rows == null ? null : new PlannedTensors(rows, options, feed.account());
        }

        @Override
        public void drop(BatchTensors.Made batch) {
            batch.close();
        }

        @Override
        public void close() {
            cutter.close();
        }
    }

    private record PlannedTensors(BatchMaker.Planned<Block> rows, TensorBatchOptions options, Allocator account)
            implements BatchMaker.Planned<BatchTensors.Made> {
        @Override
        public BatchTensors.Made make() {
            return BatchTensors.of(rows.make(), options, account);
        }

        @Override
        public void drop() {
            rows.drop();
        }
    }

    @Override
    String elements() {
        return "batches";
    }

    @Override
    @Nullable
    TensorBatch advance() {
        BatchTensors.Made made = prefetch == null ? maker.next() : prefetch.next();
        if (made == null) {
            return null;
        }
        if (!copied) {
            endsBy(made::close);
        }
        return made.batch();
    }

    @Override
    void closeMaker() {
        if (prefetch != null) {
            prefetch.close();
        } else {
            maker.close();
        }
    }
}
