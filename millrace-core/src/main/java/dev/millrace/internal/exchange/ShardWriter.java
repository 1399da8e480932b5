package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import java.lang.foreign.MemorySegment;

/// Emits the rows of a block in another order, in blocks of about the wanted size, each with memory of its own so that
/// it can leave by itself.
public final class ShardWriter {
    /// Positions are brought to the heap so many at a time at most.
    private static final int MOST_ROWS = 1 << 18;

    private ShardWriter() {}

    /// @param order 32-bit row positions
    /// @param rows how many of them
    public static void write(MapTask task, Block block, MemorySegment order, long rows) {
        int step = stepFor(block, task.shardBytes());
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

    /// Rows of a block of about `bytes`.
    public static int stepFor(Block block, long bytes) {
        double perRow = Math.max(1, (double) block.sizeBytes() / Math.max(1, block.rows()));
        return (int) Math.clamp((long) (bytes / perRow), 1, MOST_ROWS);
    }
}
