package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinHashTable;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.TableShape;
import dev.millrace.relation.AsOf;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A [JoinHashTable] as blocks, which every probing task can read: the rows with their key and chain columns, the
/// slots, and the words of the keys. This record describes the blocks.
///
/// @param shape null if there are no rows
/// @param columns the number of columns of the rows' block that belong to the side
/// @param keys the positions of the keys in that block, in the form in which they are compared
/// @param chains the position of the chains in it, -1 if there are none
/// @param index the position of the two columns of an [AsOfIndex] in it, -1 if there is none
record BuildTable(@Nullable TableShape shape, int columns, int[] keys, int chains, int index) implements MapShards {
    private static final int ROWS = 0;
    private static final int SLOTS = 1;
    private static final int WORDS = 2;
    private static final int NOWHERE = -1;
    /// A prefix that no user's column has.
    private static final String KEY = "\0key ";

    private static final String CHAINS = "\0next";
    private static final String INDEX = "\0index ";

    /// Emits the blocks of a table over rows, and reports their description.
    ///
    /// @param index null if the join is not an as-of join
    static void write(MapTask task, Block rows, JoinKeys keys, JoinHashTable table, @Nullable AsOfIndex index) {
        int count = Math.toIntExact(rows.rows());
        List<Field> fields = new ArrayList<>(rows.schema().fields());
        List<Column> columns = new ArrayList<>(rows.columns());
        int[] at = new int[keys.columns().size()];
        for (int k = 0; k < at.length; k++) {
            Column key = keys.columns().get(k);
            at[k] = columns.indexOf(key);
            if (at[k] < 0) {
                at[k] = columns.size();
                columns.add(key);
                fields.add(new Field(KEY + k, key.type()));
            }
        }
        int indexAt = index == null ? NOWHERE : columns.size();
        if (index != null) {
            for (Column column : index.columns()) {
                fields.add(new Field(INDEX + columns.size(), column.type()));
                columns.add(column);
            }
        }
        Column chains = table.chains(count);
        Column slots = table.slots();
        Column words = table.words(count);
        int chainsAt = NOWHERE;
        Block whole;
        try {
            if (chains != null) {
                chainsAt = columns.size();
                columns.add(chains);
                fields.add(new Field(CHAINS, chains.type()));
            }
            whole = Block.sharing(Schema.of(fields), columns, count);
        } finally {
            release(chains);
        }
        try {
            task.emit(whole);
            task.emit(one("slots", slots.retain()));
            if (words != null) {
                task.emit(one("words", words.retain()));
            }
        } finally {
            release(slots);
            release(words);
        }
        task.tell(new BuildTable(table.shape(), rows.schema().size(), at, chainsAt, indexAt));
    }

    /// A side without rows: only its columns.
    static void writeNothing(MapTask task, Block rows) {
        task.emit(rows.retain());
        task.tell(new BuildTable(null, rows.schema().size(), new int[0], NOWHERE, NOWHERE));
    }

    private static Block one(String name, Column column) {
        return Block.of(Schema.of(List.of(new Field(name, column.type()))), List.of(column), column.length());
    }

    private static void release(@Nullable Column column) {
        if (column != null) {
            column.release();
        }
    }

    /// The blocks of a table, open for reading; closed by the reader after the table over them.
    Reading open(ReduceTask task, int side) {
        return new Reading(task, side);
    }

    final class Reading implements AutoCloseable {
        private final List<Block> blocks = new ArrayList<>();

        private Reading(ReduceTask task, int side) {
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(this);
                for (int i = 0; i < task.blocks(side, 0); i++) {
                    blocks.add(task.block(side, 0, i));
                }
                scope.keep();
            }
        }

        /// The rows with the columns of the side, which the caller closes.
        Block rows() {
            Block whole = blocks.get(ROWS);
            return Block.sharing(
                    Schema.of(whole.schema().fields().subList(0, columns)),
                    whole.columns().subList(0, columns),
                    whole.rows());
        }

        /// The keys, which the caller closes.
        JoinKeys joinKeys() {
            List<Column> columns = new ArrayList<>();
            for (int key : keys) {
                columns.add(blocks.get(ROWS).column(key));
            }
            return JoinKeys.over(columns);
        }

        /// A table over these blocks; null if there are no rows.
        @Nullable
        JoinHashTable table(JoinKeys joinKeys) {
            if (shape == null) {
                return null;
            }
            Column words = blocks.size() > WORDS ? blocks.get(WORDS).column(0) : null;
            Column next = chains < 0 ? null : blocks.get(ROWS).column(chains);
            return JoinHashTable.over(shape, joinKeys, blocks.get(SLOTS).column(0), words, next);
        }

        /// The index over these blocks.
        AsOfIndex index(AsOf asOf, DataType type) {
            Block whole = blocks.get(ROWS);
            return AsOfIndex.over(asOf, type, whole.column(index), whole.column(index + 1));
        }

        @Override
        public void close() {
            blocks.forEach(Block::close);
            blocks.clear();
        }
    }
}
