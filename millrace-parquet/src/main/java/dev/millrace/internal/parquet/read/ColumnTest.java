package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The part of a filter that looks at one column without lists. Where the column is stored as a dictionary, the filter
/// is computed for its values once, and rows are told by their index; elsewhere the values are decoded. One thread.
final class ColumnTest implements AutoCloseable {
    private final FieldReader field;
    private final FilterParts.OfColumn part;
    private final Allocator allocator;
    private final SpareArrays spare;

    /// 1 for each value of the dictionary that passes; the last is for null. Made when the first index page comes.
    private byte[] passes;

    private final int[] indices;
    /// Indices of the rows that were chosen since [#begin].
    private final int[] chosen;

    private int chosenCount;
    /// What the last rows were: indices, or this column.
    private Column decoded;

    /// @param most rows at a time, and rows to choose
    ColumnTest(FieldReader field, FilterParts.OfColumn part, int most, SpareArrays spare, Allocator allocator) {
        this.field = field;
        this.part = part;
        this.allocator = allocator;
        this.spare = spare;
        this.indices = spare.ints(most);
        this.chosen = spare.ints(most);
    }

    FieldReader field() {
        return field;
    }

    /// Whether the column is needed once it has been tested.
    boolean isUsed() {
        return part.used();
    }

    /// Forgets the rows that were tested and chosen before.
    void begin() {
        clear();
        chosenCount = 0;
    }

    /// Whether the next rows are indices into the dictionary. To be asked before they are tested, and only while there
    /// are rows.
    boolean isIndexed() {
        field.selection().loadPage();
        return field.selection().dictionaryRows() > 0;
    }

    /// How many of the next rows can be tested at once.
    int rows(int most) {
        int ofPage = field.selection().dictionaryRows();
        return ofPage == 0 ? most : Math.min(most, ofPage);
    }

    /// Whether neither a value of the dictionary passes nor null. To be asked only before rows are read.
    boolean passesNothing() {
        if (!field.selection().loadDictionary()) {
            return false;
        }
        passes = table();
        for (byte one : passes) {
            if (one != 0) {
                return false;
            }
        }
        return true;
    }

    /// Consumes the next `rows` rows; keeps of the first `count` of `positions` those that pass, and returns how many.
    int test(int rows, int[] positions, int count) {
        LeafSelection selection = field.selection();
        if (selection.dictionaryRows() >= rows) {
            if (passes == null) {
                passes = table();
            }
            selection.readIndices(rows, indices);
            return count == rows
                    ? keepOfAll(indices, passes, rows, positions)
                    : keep(indices, passes, positions, count);
        }
        field.read(rows);
        decoded = field.take();
        return keep(select(decoded), rows, positions, count);
    }

    private byte[] table() {
        Column dictionary = field.selection().dictionary();
        try {
            SelectionVector passing = select(dictionary);
            byte[] table = new byte[(int) dictionary.length()];
            for (int i = 0; i < passing.count(); i++) {
                table[passing.position(i)] = 1;
            }
            return table;
        } finally {
            dictionary.release();
        }
    }

    private SelectionVector select(Column column) {
        try (Block block = Block.sharing(part.schema(), List.of(column), column.length())) {
            return part.condition().select(block, allocator);
        }
    }

    private static int keepOfAll(int[] indices, byte[] passes, int rows, int[] positions) {
        int kept = 0;
        for (int i = 0; i < rows; i++) {
            positions[kept] = i;
            kept += passes[indices[i]];
        }
        return kept;
    }

    private static int keep(int[] indices, byte[] passes, int[] positions, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int position = positions[i];
            positions[kept] = position;
            kept += passes[indices[position]];
        }
        return kept;
    }

    private static int keep(SelectionVector passing, int rows, int[] positions, int count) {
        if (count == rows) {
            // Nothing has been left out so far, and `positions` may not be filled yet.
            for (int i = 0; i < passing.count(); i++) {
                positions[i] = passing.position(i);
            }
            return passing.count();
        }
        byte[] pass = new byte[rows];
        for (int i = 0; i < passing.count(); i++) {
            pass[passing.position(i)] = 1;
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int position = positions[i];
            positions[kept] = position;
            kept += pass[position];
        }
        return kept;
    }

    /// Says which of the rows tested last are wanted. Such of several tests add up where the rows are indices.
    void choose(int[] positions, int count) {
        if (decoded != null || !part.used()) {
            return;
        }
        look(indices, positions, count, chosen, chosenCount);
        chosenCount += count;
    }

    private static void look(int[] values, int[] positions, int count, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = values[positions[i]];
        }
    }

    /// The column of the rows that were chosen, which stand at `selection`.
    Column take(SelectionVector selection) {
        return decoded != null
                ? GatherKernel.take(allocator, decoded, selection)
                : field.selection().fromDictionary(chosen, chosenCount);
    }

    private void clear() {
        if (decoded != null) {
            Column done = decoded;
            decoded = null;
            done.release();
        }
    }

    @Override
    public void close() {
        clear();
        spare.giveBack(indices);
        spare.giveBack(chosen);
    }
}
