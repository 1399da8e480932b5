package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.relation.SortKey;
import java.util.List;

/// Merges the rows of sorted runs that lie in its range of keys into one block if they fit; if fused steps follow that
/// assemble blocks themselves, into small ones, which are sorted in cache. More rows than that, which happens when very
/// many rows have one key, are merged in rounds with a few blocks of each run in memory.
public record SortReducer(List<SortKey> keys) implements ShuffleReducer {
    private static final long SMALL_BYTES = 8L << 20;

    public SortReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        try (MergedRuns runs = new MergedRuns(task, keys)) {
            boolean whole = runs.load();
            boolean any = whole && task.isChained() ? inPieces(task, runs) : inBlocks(task, runs, whole);
            if (!any && runs.schema() != null) {
                task.emit(Blocks.empty(runs.schema()));
            }
        }
    }

    private static boolean inPieces(ReduceTask task, MergedRuns runs) {
        runs.inPieces(SMALL_BYTES);
        boolean any = false;
        for (Block rows = runs.next(); rows != null; rows = runs.next()) {
            any = true;
            task.emit(rows);
        }
        return any;
    }

    private static boolean inBlocks(ReduceTask task, MergedRuns runs, boolean whole) {
        try (BlockShaper shaper = BlockShaper.toBytes(task.allocator(), whole ? Long.MAX_VALUE : task.targetBytes())) {
            boolean any = false;
            for (Block rows = runs.next(); rows != null; rows = runs.next()) {
                any = true;
                shaper.add(rows);
                if (!whole) {
                    task.pass(shaper);
                }
            }
            shaper.finish();
            task.pass(shaper);
            return any;
        }
    }
}
