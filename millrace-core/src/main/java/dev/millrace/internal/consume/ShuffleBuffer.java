package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.memory.Allocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A local shuffle: batches are drawn at random from a buffer of at least `size` rows, until the stream ends. The
/// buffer is refilled to one and a half times that, so that a row is copied about three times however large the buffer
/// is. The same seed over the same blocks draws the same rows. One thread.
final class ShuffleBuffer implements AutoCloseable {
    private final Allocator allocator;
    private final long size;
    private final SplittableRandom random;
    private final List<Block> pending = new ArrayList<>();
    private long pendingRows;
    /// The rows to draw from, and a random order of them; those from `at` on were not drawn yet.
    private @Nullable Block buffer;

    private int[] order = {};
    private int at;
    private boolean ended;

    ShuffleBuffer(Allocator allocator, long size, long seed) {
        this.allocator = allocator;
        this.size = size;
        this.random = new SplittableRandom(seed);
    }

    /// True while another block should be added before `batch` rows are drawn.
    boolean wantsMore(int batch) {
        boolean drained = order.length - at - batch < size;
        return !ended && drained && order.length - at + pendingRows < size + size / 2 + batch;
    }

    /// Takes ownership of the block.
    void add(Block block) {
        pending.add(block);
        pendingRows += block.rows();
    }

    void end() {
        ended = true;
    }

    long rows() {
        return order.length - at + pendingRows;
    }

    /// Draws `count` rows, which must be available.
    BatchMaker.Planned<Block> draw(int count) {
        if (!pending.isEmpty() && (order.length - at < count || order.length - at - count < size)) {
            mix();
        }
        Block rows = Objects.requireNonNull(buffer, "rows that are there were mixed");
        Drawn drawn = new Drawn(allocator, rows.retain(), Arrays.copyOfRange(order, at, at + count));
        at += count;
        return drawn;
    }

    /// Rows of a block, which this holds.
    private record Drawn(Allocator allocator, Block rows, int[] chosen) implements BatchMaker.Planned<Block> {
        @Override
        public Block make() {
            try (rows) {
                return Blocks.take(allocator, rows, chosen, chosen.length);
            }
        }

        @Override
        public void drop() {
            rows.close();
        }
    }

    private void mix() {
        List<Block> parts = new ArrayList<>(pending);
        pending.clear();
        pendingRows = 0;
        if (buffer != null && at < order.length) {
            parts.addFirst(
                    Blocks.take(allocator, buffer, Arrays.copyOfRange(order, at, order.length), order.length - at));
        }
        releaseBuffer();
        try {
            buffer = Blocks.concatenate(allocator, parts);
        } finally {
            parts.forEach(Block::close);
        }
        order = permutation(Math.toIntExact(buffer.rows()));
    }

    private int[] permutation(int count) {
        int[] shuffled = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            shuffled[i] = shuffled[j];
            shuffled[j] = i;
        }
        return shuffled;
    }

    private void releaseBuffer() {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
        order = new int[] {};
        at = 0;
    }

    @Override
    public void close() {
        releaseBuffer();
        pending.forEach(Block::close);
        pending.clear();
        pendingRows = 0;
    }
}
