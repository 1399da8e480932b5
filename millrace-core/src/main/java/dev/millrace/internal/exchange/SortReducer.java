package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.BlockShaper;
import dev.millrace.block.Blocks;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.RowOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Merges the rows of sorted runs that lie in its range of keys, into one block if a block may be as large. More
/// than that, which happens when very many rows have one key, is merged in rounds with a few blocks of each run in
/// memory.
public record SortReducer(List<SortKey> keys) implements Reducer {
    public SortReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        List<RunWindow> runs = new ArrayList<>();
        try {
            for (int run = 0; run < task.runs(0); run++) {
                runs.add(new RunWindow(task, run, keys));
            }
            boolean whole = load(task, runs);
            try (BlockShaper shaper =
                    BlockShaper.toBytes(task.allocator(), whole ? Long.MAX_VALUE : task.targetBytes())) {
                merge(task, runs, shaper, whole);
            }
        } finally {
            runs.forEach(RunWindow::close);
        }
    }

    /// Has all rows in the windows if they are no more than a block; else, or as soon as that is known, just some.
    private boolean load(ReduceTask task, List<RunWindow> runs) {
        long bytes = 0;
        for (RunWindow run : runs) {
            while (run.more()) {
                bytes += run.load();
                if (bytes > task.mostBytes() && runs.size() > 1 && comparable(runs)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Runs of different types have no common key bytes before they are put together.
    private static boolean comparable(List<RunWindow> runs) {
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

    private void merge(ReduceTask task, List<RunWindow> runs, BlockShaper shaper, boolean whole) {
        boolean any = false;
        while (true) {
            task.requireRunning();
            List<Block> pieces = new ArrayList<>();
            try {
                int sources = round(runs, pieces);
                if (pieces.isEmpty()) {
                    break;
                }
                any = true;
                shaper.add(sorted(task, pieces, sources));
            } finally {
                pieces.forEach(Block::close);
            }
            if (!whole) {
                task.pass(shaper);
            }
        }
        shaper.finish();
        task.pass(shaper);
        if (!any && !runs.isEmpty() && runs.getFirst().schema() != null) {
            task.emit(Blocks.empty(runs.getFirst().schema()));
        }
    }

    /// Takes the rows that no row outside the windows can come before; how many runs they are of. Of equal keys those
    /// of
    /// earlier runs go first.
    private static int round(List<RunWindow> runs, List<Block> pieces) {
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

    private Block sorted(ReduceTask task, List<Block> pieces, int sources) {
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
}
