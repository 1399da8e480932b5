package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.function.Consumer;

/// The input of a join task: two sides, one of which is the build side.
///
/// @param buildsLeft whether that is the left
record JoinInput(ReduceTask task, JoinReducer reducer, boolean buildsLeft) {
    /// The approximate bytes of a row in a hash table.
    static final long TABLE_ROW_BYTES = 64;

    int built() {
        return buildsLeft ? JoinReducer.LEFT : JoinReducer.RIGHT;
    }

    int passing() {
        return buildsLeft ? JoinReducer.RIGHT : JoinReducer.LEFT;
    }

    boolean isAsOf() {
        return reducer.join().asOf() != null;
    }

    /// Columns of text of a side that may be dictionaries.
    List<String> coded(int side) {
        return reducer.textOf(side == JoinReducer.LEFT, reducer.coded());
    }

    /// The keys of a block of a side. Closed by the caller.
    JoinKeys keysOf(Block block, int side) {
        return reducer.keysOf(task.allocator(), block, side == JoinReducer.LEFT);
    }

    /// Iterates over the blocks of the probe side; the taker must not close them.
    void eachPassing(List<String> coded, Consumer<Block> taker) {
        for (int run = 0; run < task.runs(passing()); run++) {
            for (int i = 0; i < task.blocks(passing(), run); i++) {
                try (Block block = task.block(passing(), run, i, coded)) {
                    taker.accept(block);
                }
            }
        }
    }

    /// The bytes of the build rows and their table, estimated from the first block.
    long builtBytes() {
        if (task.runs(built()) == 0) {
            return 0;
        }
        try (Block first = task.block(built(), 0, 0)) {
            double perRow = (double) first.sizeBytes() / Math.max(1, first.rows()) + TABLE_ROW_BYTES;
            return (long) (perRow * task.rows(built()));
        }
    }

    /// The columns of a side, which may be known only from its blocks.
    Schema columnsOf(int side) {
        Schema told = task.schema(side);
        if (told != null) {
            return told;
        }
        for (int run = 0; run < task.runs(side); run++) {
            if (task.blocks(side, run) > 0) {
                try (Block block = task.block(side, run, 0)) {
                    return block.schema();
                }
            }
        }
        return planned(side);
    }

    /// The columns of a side without blocks, from the plan.
    private Schema planned(int side) {
        boolean left = side == JoinReducer.LEFT;
        Schema schema = left ? reducer.left() : reducer.right();
        if (schema != null) {
            return schema;
        }
        List<String> keys = left ? reducer.join().leftKeys() : reducer.join().rightKeys();
        return Schema.of(keys.stream().map(key -> new Field(key, DataType.NULL)).toList());
    }
}
