package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Top-N over a stream of blocks. Of each block only the rows are examined whose first key does not come after that of
/// the current last of the best. One thread.
public final class TopRun implements AutoCloseable {
    /// The best are chosen again when this many times the wanted rows are held,
    private static final int MAX_TIMES = 4;
    /// and at least this many,
    private static final int MIN_HELD = 256;
    /// or this many bytes.
    private static final long MAX_BYTES = 4L << 20;

    private final Allocator allocator;
    private final List<SortKey> order;
    private final int wanted;
    /// In the order of arrival.
    private final List<Block> held = new ArrayList<>();

    private long rows;
    private long bytes;
    /// Rows whose first key has a word at or above this one are not among the first; for keys of this type.
    private long bound;
    private @Nullable DataType boundOf;
    private int[] found = new int[0];

    public TopRun(Allocator allocator, List<SortKey> order, int wanted) {
        this.allocator = allocator;
        this.order = List.copyOf(order);
        this.wanted = wanted;
    }

    /// Takes the rows of a block that may be among the first. The caller keeps the block.
    public void add(Block block) {
        SortKeys.check(order, block.schema(), "sort");
        if (block.rows() == 0 || wanted == 0) {
            if (held.isEmpty()) {
                hold(Blocks.empty(block.schema()));
            }
            return;
        }
        Column first = block.column(block.schema().require(order.getFirst().column(), "sort"));
        FirstWord words = FirstWord.of(first, order.getFirst());
        if (words != null && first.type().equals(boundOf)) {
            if (found.length < block.rows()) {
                found = new int[Math.toIntExact(block.rows())];
            }
            int count = words.below(bound, found);
            if (count == 0) {
                return;
            }
            try (Block some = Blocks.take(allocator, block, found, count)) {
                hold(TopRows.of(allocator, some, order, wanted));
            }
        } else {
            hold(TopRows.of(allocator, block, order, wanted));
        }
        boolean hasNoBound = words != null && boundOf == null && rows >= wanted;
        if (hasNoBound || rows >= Math.max(MIN_HELD, (long) MAX_TIMES * wanted) || bytes >= MAX_BYTES) {
            choose();
        }
    }

    private void hold(Block block) {
        held.add(block);
        rows += block.rows();
        bytes += block.sizeBytes();
    }

    /// Keeps the best of what is held, in order.
    private void choose() {
        if (held.size() > 1) {
            Block best;
            try (Block all = Blocks.concatenate(allocator, held)) {
                best = TopRows.of(allocator, all, order, wanted);
            }
            close();
            hold(best);
        }
        Block best = held.getFirst();
        Column first = best.column(best.schema().require(order.getFirst().column(), "sort"));
        FirstWord words = best.rows() < Math.max(1, wanted) ? null : FirstWord.of(first, order.getFirst());
        boundOf = null;
        if (words != null) {
            long last = words.of(best.rows() - 1);
            // With a single key, rows equal to the last of the best come after it.
            if (order.size() == 1 || last < Long.MAX_VALUE) {
                bound = order.size() == 1 ? last : last + 1;
                boundOf = first.type();
            }
        }
    }

    /// The first rows in order, as a block that the caller closes; null if there was no block.
    public @Nullable Block finish() {
        if (held.isEmpty()) {
            return null;
        }
        choose();
        Block best = held.removeFirst();
        close();
        return best;
    }

    @Override
    public void close() {
        held.forEach(Block::close);
        held.clear();
        rows = 0;
        bytes = 0;
    }
}
