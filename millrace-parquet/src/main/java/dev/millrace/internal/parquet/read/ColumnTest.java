package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The part of a filter that depends on one column without lists. If the column is dictionary-encoded, the filter is
/// evaluated once per dictionary value, and rows are tested by their index; otherwise the values are decoded. One
/// thread.
final class ColumnTest implements AutoCloseable {
    private final FieldReader field;
    private final FilterParts.OfColumn part;
    private final Allocator allocator;
    private final SpareArrays spare;

    /// 1 for each dictionary value that passes; the last entry is for null. Computed at the first dictionary-encoded
    /// page.
    private byte @Nullable [] passes;

    private final int[] indices;
    /// The indices of the rows chosen since [#begin].
    private final int[] chosen;

    private int chosenCount;
    /// The column of the rows tested last; null if they were dictionary indices.
    private @Nullable Column decoded;

    /// @param most the maximum number of rows tested at a time, and chosen
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

    /// Whether the column is needed after it has been tested.
    boolean isUsed() {
        return part.used();
    }

    /// Clears the rows tested and chosen before.
    void begin() {
        clear();
        chosenCount = 0;
    }

    /// Whether the next rows are dictionary indices. To be called before they are tested, and only while there are
    /// rows.
    boolean isIndexed() {
        field.selection().loadPage();
        return field.selection().dictionaryRows() > 0;
    }

    /// The number of the next rows that can be tested at once.
    int rows(int most) {
        int ofPage = field.selection().dictionaryRows();
        return ofPage == 0 ? most : Math.min(most, ofPage);
    }

    /// Whether neither null nor any dictionary value passes. To be called only before rows are read.
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

    /// Consumes the next `rows` rows; keeps those of the first `count` of `positions` that pass, and returns their
    /// number.
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
            // No row has been filtered out so far, and `positions` may not be filled yet.
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

    /// Chooses some of the rows tested last. If the rows are dictionary indices, the choices of several tests
    /// accumulate.
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

    /// The column of the chosen rows, which are those of `selection`.
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
