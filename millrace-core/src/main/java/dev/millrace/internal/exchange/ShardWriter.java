package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import java.lang.foreign.MemorySegment;

/// Emits the rows of a block in another order, in blocks of about the wanted size, each with memory of its own so that
/// it can be spilled separately.
final class ShardWriter {
    /// The maximum number of positions that are copied to the heap at a time.
    private static final int MAX_ROWS = 1 << 18;

    /// Narrow rows are emitted with more rows per block, but in no fewer blocks than this: each part reads all blocks
    /// that contain some of its rows.
    private static final int MIN_BLOCKS = 32;

    private ShardWriter() {}

    /// @param order 32-bit row positions
    public static void write(MapTask task, Block block, MemorySegment order) {
        try (BundleRows bundle = BundleRows.of(block)) {
            write(task, bundle, order);
        }
    }

    /// The same for a bundle, whose blocks are released.
    static void write(MapTask task, BundleRows rows, MemorySegment order) {
        int plain = stepFor(rows.sizeBytes(), rows.rows(), task.shardBytes());
        task.emitsNarrow(rows.schema(), rows.sizeBytes());
        try (Block narrow = rows.narrow(task.allocator())) {
            int step = stepFor(narrow, task.shardBytes());
            long most = Long.highestOneBit(Math.max(plain, rows.rows() / MIN_BLOCKS));
            write(task, narrow, order, (int) Math.min(step, most));
        }
    }

    private static void write(MapTask task, Block block, MemorySegment order, int step) {
        long rows = block.rows();
        int[] positions = new int[(int) Math.min(step, rows)];
        if (rows == 0) {
            task.emit(Blocks.empty(block.schema()));
        }
        for (long from = 0; from < rows; from += step) {
            task.requireRunning();
            int count = (int) Math.min(step, rows - from);
            MemorySegment.copy(order, JAVA_INT, from * Integer.BYTES, positions, 0, count);
            task.emit(Blocks.take(task.allocator(), block, positions, count));
        }
    }

    /// Rows of a block of about `bytes`: a power of two.
    public static int stepFor(Block block, long bytes) {
        return stepFor(block.sizeBytes(), block.rows(), bytes);
    }

    private static int stepFor(long size, long rows, long bytes) {
        double perRow = Math.max(1, (double) size / Math.max(1, rows));
        long step = Math.clamp((long) (bytes / perRow), 1, MAX_ROWS);
        // Columns of such a block fill regions of memory, whose sizes are powers of two.
        return (int) Long.highestOneBit(step + step / 3);
    }
}
