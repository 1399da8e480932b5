package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a reduce task's sorted runs, merged: all at once if they fit into one block, or one small range of keys
/// after the other; else in rounds with a few blocks of each run in memory. Of equal keys those of earlier runs come
/// first. Closed by its user.
final class MergedRuns implements AutoCloseable {
    private static final int SAMPLES_PER_PIECE = 64;

    private final ReduceTask task;
    private final List<SortKey> keys;
    private final List<RunWindow> runs = new ArrayList<>();
    /// The ends of the small ranges, except the last.
    private final Deque<byte[]> bounds = new ArrayDeque<>();

    private long loadedBytes;

    /// Of the range of keys that is the task's argument.
    MergedRuns(ReduceTask task, List<SortKey> keys) {
        this(task, keys, (KeyRange) task.requireArgument());
    }

    MergedRuns(ReduceTask task, List<SortKey> keys, KeyRange range) {
        this.task = task;
        this.keys = keys;
        for (int run = 0; run < task.runs(0); run++) {
            runs.add(new RunWindow(task, run, keys, range));
        }
    }

    /// Loads all rows into the windows if they fit into one block; otherwise, as soon as that is known, only some.
    /// Once, before the first [#next]; returns whether all rows are loaded at once.
    boolean load() {
        for (RunWindow run : runs) {
            while (run.more()) {
                loadedBytes += run.load();
                if (loadedBytes > task.mostBytes() && runs.size() > 1 && comparable()) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Makes [#next] return blocks of about this many bytes, which keep equal keys together. Once, when all rows were
    /// loaded.
    void inPieces(long bytes) {
        long pieces = loadedBytes / bytes;
        if (pieces < 2 || !comparable()) {
            return;
        }
        long step = Math.max(1, task.rows(0) / (pieces * SAMPLES_PER_PIECE));
        List<SortedRanges.Sample> samples = new ArrayList<>();
        runs.forEach(run -> run.sample(step, samples::add));
        bounds.addAll(Arrays.asList(SortedRanges.choose(samples, pieces)));
    }

    /// Runs of different types have no common key bytes before they are concatenated.
    private boolean comparable() {
        List<String> kinds = null;
        for (RunWindow run : runs) {
            if (run.isEmpty() && run.more()) {
                run.load();
            }
            if (!run.isEmpty()) {
                if (kinds != null && !kinds.equals(run.kinds())) {
                    return false;
                }
                kinds = run.kinds();
            }
        }
        return true;
    }

    /// The next rows as a block that the caller closes; null at the end.
    @Nullable
    Block next() {
        task.requireRunning();
        try (TakenRows taken = new TakenRows()) {
            while (taken.blocks.isEmpty() && !bounds.isEmpty()) {
                takeBelow(bounds.poll(), taken);
            }
            if (taken.blocks.isEmpty()) {
                round(taken);
            }
            return taken.blocks.isEmpty() ? null : sorted(taken);
        }
    }

    /// The schema of what was loaded of the first run; null if nothing was.
    @Nullable
    Schema schema() {
        return runs.isEmpty() ? null : runs.getFirst().schema();
    }

    private void takeBelow(byte[] bound, TakenRows taken) {
        for (RunWindow run : runs) {
            run.takeBelow(bound, taken.blocks);
            taken.of(run);
        }
    }

    /// Takes the rows that no row outside the windows can precede.
    private void round(TakenRows taken) {
        byte[] bound = null;
        int holder = -1;
        for (int i = 0; i < runs.size(); i++) {
            RunWindow run = runs.get(i);
            while (run.isEmpty() && run.more()) {
                run.load();
            }
            if (run.more()) {
                byte[] last = run.lastKey();
                if (bound == null || Arrays.compareUnsigned(last, bound) < 0) {
                    bound = last;
                    holder = i;
                }
            }
        }
        for (int i = 0; i < runs.size(); i++) {
            RunWindow run = runs.get(i);
            if (bound == null) {
                run.takeAll(taken.blocks);
            } else {
                run.takeBelow(i <= holder ? Arrays.copyOf(bound, bound.length + 1) : bound, taken.blocks);
            }
            taken.of(run);
        }
    }

    private Block sorted(TakenRows taken) {
        Block all = taken.together();
        if (taken.sources == 1) {
            return all;
        }
        try (all;
                RowOrder order = RowOrder.of(task.allocator(), all, keys)) {
            int rows = Math.toIntExact(all.rows());
            int[] positions = new int[rows];
            order.copy(0, rows, positions);
            return Blocks.take(task.allocator(), all, positions, rows);
        }
    }

    @Override
    public void close() {
        runs.forEach(RunWindow::close);
    }

    /// Rows that were taken from the windows, unmerged, and their schema.
    private final class TakenRows implements AutoCloseable {
        private final List<Block> blocks = new ArrayList<>();
        private final List<Schema> schemas = new ArrayList<>();
        private int sources;

        /// The last blocks came from this run.
        void of(RunWindow run) {
            if (schemas.size() < blocks.size()) {
                sources++;
                while (schemas.size() < blocks.size()) {
                    schemas.add(run.schema());
                }
            }
        }

        /// All rows under their common schema, as a block that the caller closes.
        Block together() {
            Schema first = schemas.getFirst();
            if (schemas.stream().allMatch(first::equals)) {
                return NarrowRows.restore(task.allocator(), blocks, first);
            }
            List<Block> restored = new ArrayList<>();
            try {
                for (int i = 0; i < blocks.size(); i++) {
                    restored.add(NarrowRows.restore(task.allocator(), List.of(blocks.get(i)), schemas.get(i)));
                }
                return Blocks.concatenate(task.allocator(), restored);
            } finally {
                restored.forEach(Block::close);
            }
        }

        @Override
        public void close() {
            blocks.forEach(Block::close);
        }
    }
}
