package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import org.jspecify.annotations.Nullable;

/// A consumer's batches. Each lives in a scope of its own, which ends when the next batch is returned; copies live in
/// one that never ends.
///
/// Batches are prefetched on another thread if making one is expensive: decoding, shuffling or copying. A view of a
/// block costs less than passing it between threads would; the run computes blocks ahead in any case.
public final class BatchIteration extends ScopedIteration<Batch> {
    private final BlockFeed feed;
    private final boolean copied;
    private final BatchMaker<Block> maker;
    private final @Nullable BatchPrefetch<Block> prefetch;

    private BatchIteration(BlockFeed feed, BatchOptions options) {
        super(feed);
        this.feed = feed;
        this.copied = options.copied();
        BatchCutter cutter = new BatchCutter(feed, options);
        this.maker = copied ? new CopyMaker(cutter) : cutter;
        boolean costly = feed.isCostly() || options.shuffleRows() > 0 || copied;
        this.prefetch = costly && options.prefetch() > 0 ? new BatchPrefetch<>(maker, options.prefetch()) : null;
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
    @Nullable
    Batch advance() {
        Block block = prefetch == null ? maker.next() : prefetch.next();
        if (block == null) {
            return null;
        }
        if (copied) {
            return new BatchScope("a copy of a batch", Allocator.collected("a copy of a batch")).adopt(block);
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
            maker.close();
        }
    }

    /// Copies each batch to memory that the garbage collector frees: it holds nothing of the session.
    private record CopyMaker(BatchCutter cutter) implements BatchMaker<Block> {
        @Override
        public @Nullable Planned<Block> plan() {
            Planned<Block> rows = cutter.plan();
            return rows == null ? null : new CopiedRows(rows);
        }

        @Override
        public void drop(Block batch) {
            batch.close();
        }

        @Override
        public void close() {
            cutter.close();
        }
    }

    private record CopiedRows(BatchMaker.Planned<Block> rows) implements BatchMaker.Planned<Block> {
        @Override
        public Block make() {
            try (Block block = rows.make()) {
                return Blocks.compact(Allocator.collected("a copy of a batch"), block);
            }
        }

        @Override
        public void drop() {
            rows.drop();
        }
    }
}
