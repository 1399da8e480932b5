package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The rows of a reduce task's sorted runs in one order: all at once if a block may be as large, else in rounds with a
/// few blocks of each run in memory. Of equal keys those of earlier runs go first. Closed by its user.
final class MergedRuns implements AutoCloseable {
    private final ReduceTask task;
    private final List<SortKey> keys;
    private final List<RunWindow> runs = new ArrayList<>();

    MergedRuns(ReduceTask task, List<SortKey> keys) {
        this.task = task;
        this.keys = keys;
        for (int run = 0; run < task.runs(0); run++) {
            runs.add(new RunWindow(task, run, keys));
        }
    }

    /// Has all rows in the windows if they are no more than a block; else, or as soon as that is known, just some.
    /// Once,
    /// before the first [#next]; whether all rows will come at once.
    boolean load() {
        long bytes = 0;
        for (RunWindow run : runs) {
            while (run.more()) {
                bytes += run.load();
                if (bytes > task.mostBytes() && runs.size() > 1 && comparable()) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Runs of different types have no common key bytes before they are put together.
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
    Block next() {
        task.requireRunning();
        List<Block> pieces = new ArrayList<>();
        try {
            int sources = round(pieces);
            return pieces.isEmpty() ? null : sorted(pieces, sources);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// Of what was loaded of the first run; null where nothing was.
    Schema schema() {
        return runs.isEmpty() ? null : runs.getFirst().schema();
    }

    /// Takes the rows that no row outside the windows can come before; how many runs they are of.
    private int round(List<Block> pieces) {
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
        int sources = 0;
        for (int i = 0; i < runs.size(); i++) {
            int before = pieces.size();
            if (bound == null) {
                runs.get(i).takeAll(pieces);
            } else {
                runs.get(i).takeBelow(i <= holder ? Arrays.copyOf(bound, bound.length + 1) : bound, pieces);
            }
            sources += pieces.size() > before ? 1 : 0;
        }
        return sources;
    }

    private Block sorted(List<Block> pieces, int sources) {
        Block all = Blocks.concatenate(task.allocator(), pieces);
        if (sources == 1) {
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
}
