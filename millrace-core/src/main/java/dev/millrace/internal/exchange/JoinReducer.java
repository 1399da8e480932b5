package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.expression.Join;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Joins the rows of its part: those of the side with fewer rows are held in a hash table, the others pass by, block
/// after block. Matches leave in blocks of the target size, however many one row has.
///
/// @param left the columns of the left, or null where they are not known before it runs
/// @param as the types to which keys are brought, null for those that stay
/// @param wanted the columns that come out, null for all
public record JoinReducer(Join join, Schema left, Schema right, List<DataType> as, List<String> wanted)
        implements Reducer {
    static final int LEFT = 0;
    static final int RIGHT = 1;

    public JoinReducer {
        as = new ArrayList<>(as);
    }

    /// The keys of a block of one side. Closed by the caller.
    JoinKeys keysOf(Allocator allocator, Block block, boolean ofLeft) {
        List<Column> columns = new ArrayList<>();
        for (String key : ofLeft ? join.leftKeys() : join.rightKeys()) {
            columns.add(block.column(block.schema().require(key, "join")));
        }
        return JoinKeys.of(allocator, columns, as);
    }

    @Override
    public void reduce(ReduceTask task) {
        boolean buildsLeft = task.rows(LEFT) < task.rows(RIGHT);
        try (JoinRun run = new JoinRun(task, this, buildsLeft)) {
            run.run();
        }
    }
}
