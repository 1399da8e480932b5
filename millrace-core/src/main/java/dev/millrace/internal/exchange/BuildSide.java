package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.join.AsOfIndex;
import dev.millrace.internal.kernel.join.JoinHashTable;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.KeyForm;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The build side of a hash join: its rows, a hash table of their keys, and which of them were matched by rows of the
/// probe side. One thread; closed by its owner.
final class BuildSide implements AutoCloseable {
    private final JoinInput input;
    private final int[] firsts = new int[JoinHashTable.CHUNK];
    private Block rows;
    private @Nullable JoinKeys keys;
    private @Nullable JoinHashTable table;
    /// For an as-of join, the rows of the table by nearness; and the type in which that is compared.
    private @Nullable AsOfIndex index;

    private @Nullable DataType orderType;
    /// A byte for each row, 1 for the first row of each matched key; null if matches are not tracked.
    private @Nullable Buffer met;

    private BuildSide(JoinInput input, Block rows) {
        this.input = input;
        this.rows = rows;
    }

    /// Takes ownership of the rows, null for none.
    ///
    /// @param marks whether matched rows are tracked
    static BuildSide of(JoinInput input, @Nullable Block rows, boolean marks) {
        try (ResourceScope scope = new ResourceScope()) {
            BuildSide side =
                    scope.add(new BuildSide(input, rows == null ? Blocks.empty(input.columnsOf(input.built())) : rows));
            if (input.isAsOf() && side.rows.rows() > 0) {
                side.orderType = input.reducer().orderType(side.rows.schema());
                side.rows = input.reducer().arranged(input.task().allocator(), side.rows, side.orderType);
            }
            side.mark(marks);
            return scope.keep(side);
        }
    }

    /// Over a table that was built before, which the caller owns.
    static BuildSide over(JoinInput input, BuildTable.Reading reading, boolean marks) {
        try (ResourceScope scope = new ResourceScope()) {
            BuildSide side = scope.add(new BuildSide(input, reading.rows()));
            side.keys = reading.joinKeys();
            side.table = reading.table(side.keys);
            if (input.isAsOf() && side.rows.rows() > 0) {
                side.orderType = input.reducer().orderType(side.rows.schema());
                side.index = reading.index(input.reducer().asOf(), side.orderType);
            }
            side.mark(marks);
            return scope.keep(side);
        }
    }

    private void mark(boolean marks) {
        if (marks) {
            met = input.task().allocator().allocateZeroed(Math.max(1, rows.rows()));
        }
    }

    Block rows() {
        return rows;
    }

    /// Whether every probe row matches at most one build row.
    boolean isUnique() {
        return input.isAsOf() || table == null || table.isUnique();
    }

    /// The next row with the same key; -1 after the last.
    int after(int row) {
        return Objects.requireNonNull(table, "rows were found in a table").after(row);
    }

    /// Receives the matches of probe rows.
    interface Answers {
        /// @param found for each of `count` rows from `from` on, the first matching row of the table, -1 for none; to
        ///     be read before this returns
        void take(int from, int count, int[] found);
    }

    /// Probes the table with the rows of a block, some at a time.
    void ask(Block block, Answers answers) {
        if (rows.rows() == 0) {
            for (long from = 0; from < block.rows(); from += JoinHashTable.CHUNK) {
                int count = (int) Math.min(JoinHashTable.CHUNK, block.rows() - from);
                Arrays.fill(firsts, 0, count, -1);
                answers.take((int) from, count, firsts);
            }
            return;
        }
        Column order =
                input.isAsOf() ? input.reducer().orderOf(input.task().allocator(), block, requireOrderType()) : null;
        try (JoinKeys passing = input.keysOf(block, input.passing())) {
            JoinHashTable table = prepare(passing);
            for (long from = 0; from < block.rows(); from += JoinHashTable.CHUNK) {
                input.task().requireRunning();
                int count = (int) Math.min(JoinHashTable.CHUNK, block.rows() - from);
                table.find(passing, from, count, firsts);
                if (order != null) {
                    requireIndex().narrow(order, from, count, firsts);
                }
                markFound(count);
                answers.take((int) from, count, firsts);
            }
        } finally {
            if (order != null) {
                order.release();
            }
        }
    }

    /// Makes sure that the keys of the table have the form in which they are compared with these; blocks of different
    /// types may need another table.
    private JoinHashTable prepare(JoinKeys passing) {
        if (keys == null) {
            keys = input.keysOf(rows, input.built());
        }
        JoinReducer reducer = input.reducer();
        List<KeyForm> forms = new ArrayList<>();
        for (int k = 0; k < reducer.as().size(); k++) {
            DataType left = (input.buildsLeft() ? keys : passing).types().get(k);
            DataType right = (input.buildsLeft() ? passing : keys).types().get(k);
            forms.add(KeyForm.require(
                    reducer.join().leftKeys().get(k),
                    left,
                    reducer.join().rightKeys().get(k),
                    right));
        }
        if (table == null || !table.forms().equals(forms)) {
            markChains();
            closeTable();
            table = JoinHashTable.build(input.task().allocator(), keys, forms, Math.toIntExact(rows.rows()));
            if (input.isAsOf()) {
                index = AsOfIndex.of(input.task().allocator(), rows, keys, table, reducer.asOf(), requireOrderType());
            }
        }
        return table;
    }

    private DataType requireOrderType() {
        return Objects.requireNonNull(orderType, "an as-of join with rows has a type of its order");
    }

    private AsOfIndex requireIndex() {
        return Objects.requireNonNull(index, "an as-of join with a table has an index of it");
    }

    private void markFound(int count) {
        if (met == null) {
            return;
        }
        MemorySegment marked = met.segment();
        for (int i = 0; i < count; i++) {
            if (firsts[i] >= 0) {
                marked.set(JAVA_BYTE, firsts[i], (byte) 1);
            }
        }
    }

    /// Copies the mark of the first row of each key to the others, which follow it in the chain.
    private void markChains() {
        if (table == null || met == null) {
            return;
        }
        MemorySegment marked = met.segment();
        for (int row = 0; row < rows.rows(); row++) {
            if (marked.get(JAVA_BYTE, row) != 0) {
                int after = table.after(row);
                if (after >= 0) {
                    marked.set(JAVA_BYTE, after, (byte) 1);
                }
            }
        }
    }

    /// Which rows were matched, a byte for each, 0 for those that were not.
    MemorySegment met() {
        markChains();
        return Objects.requireNonNull(met, "matches are tracked").segment();
    }

    private void closeTable() {
        if (index != null) {
            index.close();
            index = null;
        }
        if (table != null) {
            table.close();
            table = null;
        }
    }

    @Override
    public void close() {
        closeTable();
        if (keys != null) {
            keys.close();
            keys = null;
        }
        if (met != null) {
            met.release();
            met = null;
        }
        rows.close();
    }
}
