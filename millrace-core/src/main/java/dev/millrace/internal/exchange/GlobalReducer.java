package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GlobalPart;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Combines the parts that lanes produced into the single result row.
///
/// @param input the columns of the rows, null if they are not known: needed for a result over no rows
public record GlobalReducer(
        GlobalAggregates aggregates, @Nullable Schema input) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        List<List<Block>> made = new ArrayList<>();
        aggregates.parts().forEach(_ -> made.add(new ArrayList<>()));
        try {
            for (int run = 0; run < task.runs(0); run++) {
                for (int i = 0; i < task.blocks(0, run); i++) {
                    try (Block marked = task.narrow(0, run, i)) {
                        if (marked.rows() > 0) {
                            made.get(GlobalPart.numberOf(marked.schema())).add(GlobalPart.unmark(marked));
                        }
                    }
                }
            }
            task.emit(aggregates.result(task.allocator(), made, input));
        } finally {
            made.forEach(blocks -> blocks.forEach(Block::close));
        }
    }

    @Override
    public boolean makesRowsOfNothing() {
        return true;
    }
}
