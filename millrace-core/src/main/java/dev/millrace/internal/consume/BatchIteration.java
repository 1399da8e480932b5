package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;

/// A consumer's batches. Each lives in a scope of its own, which ends when the next batch is returned.
///
/// Batches are prefetched on another thread if making one is expensive: decoding or shuffling. A view of a block costs
/// less than passing it between threads would; the run computes blocks ahead in any case.
public final class BatchIteration extends ScopedIteration<Batch> {
    private final BlockFeed feed;
    private final BatchCutter cutter;
    private final BatchPrefetch<Block> prefetch;

    private BatchIteration(BlockFeed feed, BatchOptions options) {
        super(feed);
        this.feed = feed;
        this.cutter = new BatchCutter(feed, options);
        boolean ahead = options.prefetch() > 0 && (feed.isCostly() || options.shuffleRows() > 0);
        this.prefetch = ahead ? new BatchPrefetch<>(cutter, options.prefetch()) : null;
        opened();
    }

    /// @param options with all values set
    public static CloseableIterator<Batch> of(DatasetExecution execution, BatchOptions options) {
        return over(execution, options);
    }

    static CloseableIterator<Batch> over(BlockFeed feed, BatchOptions options) {
        return new BatchIteration(feed, options);
    }

    @Override
    String elements() {
        return "batches";
    }

    @Override
    Batch advance() {
        Block block = prefetch == null ? cutter.next() : prefetch.next();
        if (block == null) {
            return null;
        }
        BatchScope scope = new BatchScope("iterBatches", feed.account());
        endsBy(scope::close);
        return scope.adopt(block);
    }

    @Override
    void closeMaker() {
        if (prefetch != null) {
            prefetch.close();
        } else {
            cutter.close();
        }
    }
}
