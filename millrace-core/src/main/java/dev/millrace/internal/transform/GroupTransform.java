package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.aggregate.RowGroups;
import java.util.ArrayList;
import java.util.List;

/// Calls a function with the rows of each group of equal keys. Every input block has all rows of its groups.
final class GroupTransform implements ChunkTransform {
    private final BatchCalls calls;
    private final List<String> keys;
    private final StepContext context;

    GroupTransform(BatchCalls calls, List<String> keys, StepContext context) {
        this.calls = calls;
        this.keys = keys;
        this.context = context;
    }

    @Override
    public void accept(Block block, ChunkSink out) throws Exception {
        try (block) {
            if (block.rows() == 0) {
                return;
            }
            try (RowGroups groups = RowGroups.of(context.allocator(), block, keys)) {
                for (int group = 0; group < groups.groups() && out.wantsMore(); group++) {
                    int[] rows = groups.rowsOf(group);
                    String where = "the group of " + key(block, rows[0]);
                    Block taken = Blocks.take(context.allocator(), block, rows, rows.length);
                    calls.call(new BatchCalls.Input(taken, where, DeadLetters.UNKNOWN_ROW), out);
                }
            }
        }
    }

    private String key(Block block, int row) {
        List<String> values = new ArrayList<>();
        keys.forEach(key -> values.add(key + " " + block.column(key).value(row)));
        return String.join(", ", values);
    }

    @Override
    public void finish(ChunkSink out) throws Exception {
        calls.finish(out);
    }

    @Override
    public void close() {
        calls.close();
    }
}
