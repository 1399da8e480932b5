package dev.millrace.internal.cluster;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.link.BlockNumbers;
import dev.millrace.internal.cluster.link.BlockSource;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The blocks in the driver's memory: those that the program put there, and those of tasks that run in the driver.
/// Thread-safe.
final class DriverBlocks implements BlockSource {
    /// Below this size a block is kept as the bytes that its tasks are sent.
    private static final long SMALL = 64 << 10;

    private final EmbeddedRuntime here;
    private final Allocator account;
    private final BlockSource workers;
    private final Map<Long, BlockRef> blocks = new ConcurrentHashMap<>();
    private final AtomicLong numbered = new AtomicLong();

    /// @param workers get rows of blocks of workers, for those that cannot reach them
    DriverBlocks(EmbeddedRuntime here, Allocator account, BlockSource workers) {
        this.here = here;
        this.account = account;
        this.workers = workers;
    }

    /// @param block a reference to a block of the driver's runtime; owned from here
    ClusterBlock add(BlockRef block) {
        if (block.metadata().sizeBytes() < SMALL) {
            try (Block small = here.get(BlockSlice.whole(block))) {
                return new ClusterBlock.Small(block.metadata(), BlockBytes.encode(small, account));
            } finally {
                block.release();
            }
        }
        long number = numbered.incrementAndGet();
        blocks.put(number, block);
        return new ClusterBlock.Held(block, number, this);
    }

    void remove(long number) {
        blocks.remove(number);
    }

    @Override
    public Block rows(long number, long from, long rows) {
        if (BlockNumbers.worker(number) > 0) {
            return workers.rows(number, from, rows);
        }
        BlockRef block = blocks.get(number);
        if (block == null || !block.tryRetain()) {
            throw MillraceException.internal("block " + number + " is not, or no longer, in the driver");
        }
        try {
            return here.get(new BlockSlice(block, from, rows));
        } finally {
            block.release();
        }
    }
}
