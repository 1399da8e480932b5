package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.List;

/// All rows of a run at once, as values.
public final class Taking {
    private Taking() {}

    public static List<Row> rows(Execution execution) {
        List<Row> rows = new ArrayList<>();
        RowIteration.forEach(execution, row -> rows.add(row.copy()));
        return rows;
    }

    /// The rows as one batch in memory of the garbage collector, which stays valid.
    public static Batch batch(Execution execution) {
        List<Block> blocks = new ArrayList<>();
        try (execution) {
            execution.onClose(() -> blocks.forEach(Block::close));
            for (Block block = execution.next(); block != null; block = execution.next()) {
                blocks.add(block);
            }
            if (blocks.isEmpty()) {
                throw MillraceException.user("takeBatch: the dataset is empty.");
            }
            try (BatchScope scope = new BatchScope("takeBatch", execution.account())) {
                return scope.adopt(Blocks.concatenate(execution.account(), blocks))
                        .copy();
            }
        }
    }
}
