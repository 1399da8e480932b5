package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// A sorted run of a reduce task, as far as it lies in the task's range: the blocks that are loaded, the first of them
/// perhaps in part, and those that are not.
final class RunWindow implements AutoCloseable {
    private final ReduceTask task;
    private final int run;
    private final List<SortKey> keys;
    private final KeyRange range;
    private final Deque<Block> loaded = new ArrayDeque<>();
    private int next;
    private Schema schema;

    RunWindow(ReduceTask task, int run, List<SortKey> keys) {
        this.task = task;
        this.run = run;
        this.keys = keys;
        this.range = (KeyRange) task.argument();
    }

    boolean isEmpty() {
        return loaded.isEmpty();
    }

    /// True when there are blocks that were not loaded.
    boolean more() {
        return next < task.blocks(0, run);
    }

    /// Of what was loaded; null before.
    Schema schema() {
        return schema;
    }

    /// Loads the next block; its bytes in the range.
    long load() {
        try (Block block = task.block(0, run, next++)) {
            schema = block.schema();
            KeyBytes bytes = KeyBytes.of(block, keys);
            long from = range.from() == null ? 0 : bytes.firstNotBelow(block.rows(), range.from());
            long to = range.to() == null ? block.rows() : bytes.firstNotBelow(block.rows(), range.to());
            if (from >= to) {
                return 0;
            }
            Block inside = block.slice(from, to - from);
            loaded.addLast(inside);
            return inside.sizeBytes();
        }
    }

    List<String> kinds() {
        return KeyBytes.of(loaded.peekFirst(), keys).kinds();
    }

    /// The key of the last row that is loaded.
    byte[] lastKey() {
        Block last = loaded.peekLast();
        return KeyBytes.of(last, keys).of(last.rows() - 1);
    }

    /// Moves all loaded rows.
    void takeAll(List<Block> into) {
        into.addAll(loaded);
        loaded.clear();
    }

    /// Moves the loaded rows whose key is below `bound`.
    void takeBelow(byte[] bound, List<Block> into) {
        while (!loaded.isEmpty()) {
            Block first = loaded.peekFirst();
            long rows = KeyBytes.of(first, keys).firstNotBelow(first.rows(), bound);
            if (rows == first.rows()) {
                into.add(loaded.pollFirst());
                continue;
            }
            if (rows > 0) {
                try (Block cut = loaded.pollFirst()) {
                    into.add(cut.slice(0, rows));
                    loaded.addFirst(cut.slice(rows, cut.rows() - rows));
                }
            }
            return;
        }
    }

    @Override
    public void close() {
        loaded.forEach(Block::close);
        loaded.clear();
    }
}
