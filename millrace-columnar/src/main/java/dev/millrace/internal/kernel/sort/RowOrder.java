package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.relation.SortKey;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The rows of a block in sorted order: nulls last and NaN before them in both directions, strings by their bytes,
/// stable. The caller keeps the block.
///
/// Pairs of a 64-bit chunk of the key and the row number are radix sorted; ties are sorted by the next chunk, and small
/// groups by comparison.
public final class RowOrder implements AutoCloseable {
    /// Groups smaller than this are sorted by comparison.
    private static final int FEW = 24;

    private final KeyLevel[] levels;
    private final long rows;
    private final Buffer pairs;
    private final MemorySegment sorted;

    private RowOrder(KeyLevel[] levels, long rows, Buffer pairs) {
        this.levels = levels;
        this.rows = rows;
        this.pairs = pairs;
        this.sorted = pairs.segment();
    }

    public static RowOrder of(Allocator allocator, Block block, List<SortKey> keys) {
        KeyLevel[] levels = SortLevels.of(allocator, block, keys);
        long bytes = Math.max(1, block.rows()) * KeyLevel.PAIR;
        Buffer pairs = allocator.allocate(bytes);
        boolean done = false;
        try {
            RowOrder order = new RowOrder(levels, block.rows(), pairs);
            order.number();
            if (levels.length > 0 && order.rows > 1) {
                Buffer scratch = allocator.allocate(bytes);
                try {
                    order.sort(scratch.segment(), 0, order.rows, 0, 0);
                } finally {
                    scratch.release();
                }
            }
            done = true;
            return order;
        } finally {
            if (!done) {
                pairs.release();
            }
        }
    }

    private void number() {
        for (long row = 0; row < rows; row++) {
            sorted.setAtIndex(JAVA_LONG, 2 * row + 1, row);
        }
    }

    public long rows() {
        return rows;
    }

    /// The row number at this position.
    public long row(long place) {
        return KeyLevel.row(sorted, place);
    }

    /// Compares two rows of the block, given by their numbers; 0 if their keys are equal.
    public int compare(long a, long b) {
        return compare(a, b, 0);
    }

    /// The numbers of `count` rows from a position on.
    public void copy(long from, int count, int[] into) {
        for (int i = 0; i < count; i++) {
            into[i] = (int) row(from + i);
        }
    }

    /// All row numbers as 32-bit integers.
    public void copy(MemorySegment into) {
        for (long i = 0; i < rows; i++) {
            into.setAtIndex(JAVA_INT, i, (int) row(i));
        }
    }

    private int compare(long a, long b, int level) {
        for (int i = level; i < levels.length; i++) {
            int order = levels[i].compare(a, b, 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private void sort(MemorySegment scratch, long from, long to, int level, int depth) {
        if (to - from <= FEW) {
            insert(from, to, level);
            return;
        }
        KeyLevel key = levels[level];
        key.load(sorted, from, to, depth);
        RadixSort.pairs(sorted, scratch, from, to);
        boolean last = level + 1 == levels.length;
        if (last && !key.isDeep()) {
            return;
        }
        long start = from;
        while (start < to) {
            long chunk = sorted.getAtIndex(JAVA_LONG, 2 * start);
            long end = start + 1;
            while (end < to && sorted.getAtIndex(JAVA_LONG, 2 * end) == chunk) {
                end++;
            }
            if (end - start > 1) {
                if (key.goesDeeper(sorted, start, end, depth)) {
                    sort(scratch, start, end, level, depth + 1);
                } else if (!last) {
                    sort(scratch, start, end, level + 1, 0);
                }
            }
            start = end;
        }
    }

    private void insert(long from, long to, int level) {
        for (long i = from + 1; i < to; i++) {
            long row = row(i);
            long at = i;
            while (at > from && compare(row(at - 1), row, level) > 0) {
                sorted.setAtIndex(JAVA_LONG, 2 * at + 1, row(at - 1));
                at--;
            }
            sorted.setAtIndex(JAVA_LONG, 2 * at + 1, row);
        }
    }

    @Override
    public void close() {
        pairs.release();
    }
}
