package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;

/// The rows that come first in sorted order, of rows that come block by block. Of each block only those are looked at
/// closely whose first key is not behind that of the last of the best. One thread.
public final class TopRun implements AutoCloseable {
    /// The best are chosen anew when so many times as many rows as wanted are held,
    private static final int MAX_TIMES = 4;
    /// or so many at least,
    private static final int MIN_HELD = 256;
    /// or so many bytes.
    private static final long MAX_BYTES = 4L << 20;

    private final Allocator allocator;
    private final List<SortKey> order;
    private final int wanted;
    /// In the order in which they came.
    private final List<Block> held = new ArrayList<>();

    private long rows;
    private long bytes;
    /// Rows whose first key has a word at or above this one are not among the first; of keys of this type.
    private long bound;
    private DataType boundOf;
    private int[] found = new int[0];

    public TopRun(Allocator allocator, List<SortKey> order, int wanted) {
        this.allocator = allocator;
        this.order = List.copyOf(order);
        this.wanted = wanted;
    }

    /// Takes the rows of a block that may be among the first. The block stays the caller's.
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

    /// Leaves the best of what is held, in order.
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
            // With one key, what is equal to the last of the best comes behind it.
            if (order.size() == 1 || last < Long.MAX_VALUE) {
                bound = order.size() == 1 ? last : last + 1;
                boundOf = first.type();
            }
        }
    }

    /// The first rows in order, as a block that the caller closes; null where no block came.
    public Block finish() {
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
