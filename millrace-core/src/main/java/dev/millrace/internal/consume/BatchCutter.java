package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.iteration.BatchOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The batches of an iteration as blocks: pulls blocks from a feed and cuts or draws batches from them. One thread.
final class BatchCutter implements BatchMaker<Block> {
    private final BlockFeed feed;
    private final BatchOptions options;
    private final BatchAssembler assembler;
    private final @Nullable ShuffleBuffer shuffle;
    private boolean ended;

    BatchCutter(BlockFeed feed, BatchOptions options) {
        this.feed = feed;
        this.options = options;
        this.assembler = new BatchAssembler(feed.account());
        this.shuffle = options.shuffleRows() == 0
                ? null
                : new ShuffleBuffer(feed.account(), options.shuffleRows(), options.seed());
    }

    @Override
    public @Nullable Planned<Block> plan() {
        if (options.batchSize() == BatchOptions.WHOLE_BLOCK) {
            Block block = pull();
            return block == null ? null : new BatchRows(feed.account(), List.of(block));
        }
        return shuffle == null ? cut() : draw(shuffle);
    }

    @Override
    public void drop(Block batch) {
        batch.close();
    }

    private @Nullable Planned<Block> cut() {
        while (assembler.rows() < options.batchSize() && !ended) {
            Block block = pull();
            if (block != null) {
                assembler.add(block);
            }
        }
        int rows = due(assembler.rows());
        return rows == 0 ? null : assembler.take(rows);
    }

    private @Nullable Planned<Block> draw(ShuffleBuffer shuffle) {
        while (shuffle.wantsMore(options.batchSize())) {
            Block block = pull();
            if (block == null) {
                shuffle.end();
            } else {
                shuffle.add(block);
            }
        }
        int rows = due(shuffle.rows());
        return rows == 0 ? null : shuffle.draw(rows);
    }

    private @Nullable Block pull() {
        Block block = feed.next();
        ended |= block == null;
        return block;
    }

    private int due(long there) {
        return there >= options.batchSize() ? options.batchSize() : options.dropLast() ? 0 : (int) there;
    }

    @Override
    public void close() {
        assembler.close();
        if (shuffle != null) {
            shuffle.close();
        }
    }
}
