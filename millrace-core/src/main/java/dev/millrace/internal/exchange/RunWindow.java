package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A sorted run of a reduce task, as far as it lies in the task's range: the loaded blocks, perhaps as [NarrowRows],
/// the first of them perhaps in part, and those that are not loaded.
final class RunWindow implements AutoCloseable {
    /// When memory is tight, rows that keep more than this many times their bytes alive are copied.
    private static final int MAX_WASTE = 3;

    private final ReduceTask task;
    private final int run;
    private final List<SortKey> keys;
    private final KeyRange range;
    private final Deque<LoadedBlock> loaded = new ArrayDeque<>();
    private int next;
    private @Nullable Schema schema;

    RunWindow(ReduceTask task, int run, List<SortKey> keys, KeyRange range) {
        this.task = task;
        this.run = run;
        this.keys = keys;
        this.range = range;
    }

    boolean isEmpty() {
        return loaded.isEmpty();
    }

    /// True when there are blocks that were not loaded.
    boolean more() {
        return next < task.blocks(0, run);
    }

    /// The schema of the original rows of what was loaded; null before.
    @Nullable
    Schema schema() {
        return schema;
    }

    /// Loads the next block; the bytes of its rows in the range.
    long load() {
        try (Block block = task.narrow(0, run, next++)) {
            Schema rows = task.schema(0, run);
            schema = rows == null ? block.schema() : rows;
            try (Block keyed = NarrowRows.keys(task.allocator(), block, schema, keys)) {
                KeyBytes bytes = KeyBytes.of(keyed, keys);
                long from = range.from() == null ? 0 : bytes.firstNotBelow(0, block.rows(), range.from());
                long to = range.to() == null ? block.rows() : bytes.firstNotBelow(from, block.rows(), range.to());
                if (from >= to) {
                    return 0;
                }
                try (Block inside = block.slice(from, to - from)) {
                    loaded.addLast(new LoadedBlock(tight(inside), keyed.slice(from, to - from)));
                    return NarrowRows.plainBytes(inside, schema);
                }
            }
        }
    }

    private Block tight(Block rows) {
        return task.allocator().isTight() && rows.heldBytes() > MAX_WASTE * rows.sizeBytes()
                ? Blocks.compact(task.allocator(), rows)
                : rows.retain();
    }

    List<String> kinds() {
        return loaded.peekFirst().bytes.kinds();
    }

    /// The key of the last row that is loaded.
    byte[] lastKey() {
        LoadedBlock last = loaded.peekLast();
        return last.bytes.of(last.rows.rows() - 1);
    }

    /// Reports keys of the loaded rows, one of `step` of them, and how many rows each represents.
    void sample(long step, Consumer<SortedRanges.Sample> to) {
        for (LoadedBlock block : loaded) {
            for (long row = block.from; row < block.rows.rows(); row += step) {
                to.accept(new SortedRanges.Sample(block.bytes.of(row), Math.min(step, block.rows.rows() - row)));
            }
        }
    }

    /// Moves all loaded rows.
    void takeAll(List<Block> into) {
        while (!loaded.isEmpty()) {
            take(loaded.peekFirst().rows.rows(), into);
        }
    }

    /// Moves the loaded rows whose key is below `bound`.
    void takeBelow(byte[] bound, List<Block> into) {
        while (!loaded.isEmpty()) {
            LoadedBlock first = loaded.peekFirst();
            long to = first.bytes.firstNotBelow(first.from, first.rows.rows(), bound);
            boolean all = to == first.rows.rows();
            take(to, into);
            if (!all) {
                return;
            }
        }
    }

    /// Moves the rows of the first block up to this one.
    private void take(long to, List<Block> into) {
        LoadedBlock first = loaded.peekFirst();
        if (to > first.from) {
            into.add(first.rows.slice(first.from, to - first.from));
            first.from = to;
        }
        if (to == first.rows.rows()) {
            loaded.pollFirst().close();
        }
    }

    @Override
    public void close() {
        loaded.forEach(LoadedBlock::close);
        loaded.clear();
    }

    /// A block, and its keys in their original form.
    private final class LoadedBlock implements AutoCloseable {
        private final Block rows;
        private final Block keyed;
        private final KeyBytes bytes;
        /// The first row that was not moved.
        private long from;

        LoadedBlock(Block rows, Block keyed) {
            this.rows = rows;
            this.keyed = keyed;
            this.bytes = KeyBytes.of(keyed, keys);
        }

        @Override
        public void close() {
            rows.close();
            keyed.close();
        }
    }
}
