package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.CompactKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.ScatterKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Emits the rows of a block in another order, in blocks of about the wanted size, each with memory of its own so that
/// it can be spilled separately.
final class ShardWriter {
    /// The maximum number of positions that are copied to the heap at a time.
    private static final int MAX_ROWS = 1 << 18;

    /// Narrow rows are emitted with more rows per block, but in no fewer blocks than this: each part reads all blocks
    /// that contain some of its rows.
    private static final int MIN_BLOCKS = 32;

    /// Columns of fewer bytes stay in cache while they are gathered.
    private static final long MOVED_BYTES = 1L << 20;

    private ShardWriter() {}

    /// @param order 32-bit row positions
    public static void write(MapTask task, Block block, MemorySegment order) {
        try (BundleRows bundle = BundleRows.of(block)) {
            write(task, bundle, order);
        }
    }

    /// The same for a bundle, whose blocks are released.
    static void write(MapTask task, BundleRows rows, MemorySegment order) {
        write(task, rows, order, false);
    }

    /// The same for an order that keeps the rows of each partition in theirs.
    static void writeClustered(MapTask task, BundleRows rows, MemorySegment order) {
        write(task, rows, order, true);
    }

    private static void write(MapTask task, BundleRows rows, MemorySegment order, boolean clustered) {
        int plain = stepFor(rows.sizeBytes(), rows.rows(), task.shardBytes());
        task.emitsNarrow(rows.schema(), rows.sizeBytes());
        Block narrow = rows.narrow(task.allocator());
        int step = stepFor(narrow, task.shardBytes());
        long most = Long.highestOneBit(Math.max(plain, rows.rows() / MIN_BLOCKS));
        boolean[] moved = new boolean[narrow.schema().size()];
        try (Block ready = clustered ? moved(task.allocator(), narrow, order, moved) : narrow) {
            write(task, ready, order, (int) Math.min(step, most), moved);
        }
    }

    /// Moves long columns of text to the order at once: gathering them block by block would miss the cache with each.
    ///
    /// @param narrow taken over
    /// @param moved set for the columns that are in order
    private static Block moved(Allocator allocator, Block narrow, MemorySegment order, boolean[] moved) {
        Buffer places = Buffer.EMPTY;
        try (narrow;
                ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (int i = 0; i < moved.length; i++) {
                Column column = narrow.column(i);
                moved[i] = column.sizeBytes() >= MOVED_BYTES && !allocator.isTight() && ScatterKernel.isFor(column);
                if (moved[i] && places.size() == 0) {
                    places = places(allocator, order, narrow.rows());
                }
                columns.add(moved[i] ? ScatterKernel.move(allocator, column, places.segment()) : column.retain());
            }
            return scope.keep(Block.of(narrow.schema(), columns, narrow.rows()));
        } finally {
            places.release();
        }
    }

    /// Where each row goes.
    private static Buffer places(Allocator allocator, MemorySegment order, long rows) {
        Buffer places = allocator.allocate(rows * Integer.BYTES);
        MemorySegment to = places.segment();
        for (int place = 0; place < rows; place++) {
            to.setAtIndex(JAVA_INT, order.getAtIndex(JAVA_INT, place), place);
        }
        return places;
    }

    /// @param moved the columns that are in order
    private static void write(MapTask task, Block block, MemorySegment order, int step, boolean[] moved) {
        long rows = block.rows();
        int[] positions = new int[(int) Math.min(step, rows)];
        if (rows == 0) {
            task.emit(Blocks.empty(block.schema()));
        }
        for (long from = 0; from < rows; from += step) {
            task.requireRunning();
            int count = (int) Math.min(step, rows - from);
            MemorySegment.copy(order, JAVA_INT, from * Integer.BYTES, positions, 0, count);
            task.emit(take(task.allocator(), block, moved, from, positions, count));
        }
    }

    private static Block take(
            Allocator allocator, Block block, boolean[] moved, long from, int[] positions, int count) {
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (int i = 0; i < moved.length; i++) {
                Column column = block.column(i);
                columns.add(
                        moved[i]
                                ? CompactKernel.column(allocator, column.slice(from, count))
                                : GatherKernel.take(allocator, column, positions, count));
            }
            return scope.keep(Block.of(block.schema(), columns, count));
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
