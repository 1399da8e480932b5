package dev.millrace.internal.consume;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;

/// All rows of a run at once, as values.
public final class RowCollector {
    private RowCollector() {}

    /// Every row has all columns: if the blocks of a run differ in schema (functions may do that), earlier and later
    /// rows are converted to their common schema.
    public static List<Row> rows(DatasetExecution execution) {
        List<Row> rows = new ArrayList<>();
        try (DatasetExecution _ = execution.attended()) {
            Schema common = null;
            for (Block block = execution.next(); block != null; block = execution.next()) {
                try (Block part = block) {
                    Schema both = common == null ? part.schema() : Types.unify(common, part.schema());
                    if (common != null && !both.equals(common)) {
                        rows = conformed(rows, both, execution.account());
                    }
                    common = both;
                    append(part, both, execution.account(), rows);
                }
            }
        }
        return rows;
    }

    private static List<Row> conformed(List<Row> rows, Schema schema, Allocator account) {
        List<Row> conformed = new ArrayList<>(rows.size());
        try (BlockBuilder builder = new BlockBuilder(account, schema, rows.size())) {
            for (Row row : rows) {
                builder.append(schema.names().stream()
                        .map(name -> row.has(name) ? row.get(name) : null)
                        .toArray());
            }
            try (Block block = builder.build()) {
                append(block, schema, account, conformed);
            }
        }
        return conformed;
    }

    private static void append(Block block, Schema schema, Allocator account, List<Row> rows) {
        try (Block wide = block.schema().equals(schema) ? block.retain() : Blocks.widen(account, block, schema)) {
            RowCursor cursor = new RowCursor();
            cursor.reopen(wide);
            for (long row = 0; row < wide.rows(); row++) {
                cursor.moveTo(row);
                rows.add(cursor.copy());
            }
            cursor.end();
        }
    }

    /// The rows as one batch in garbage-collected memory, which stays valid.
    public static Batch batch(DatasetExecution execution) {
        List<Block> blocks = new ArrayList<>();
        try (DatasetExecution _ = execution.attended()) {
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
