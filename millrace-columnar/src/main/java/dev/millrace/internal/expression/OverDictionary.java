package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A condition on one dictionary column and constants: decided once per entry of the dictionary, then looked up per
/// row.
/// Only for conditions that never fail, since an entry may be one that no row has.
final class OverDictionary extends Predicate {
    private final int position;
    private final Schema entries;
    private final Node condition;

    /// @param condition over [#entry]
    OverDictionary(DataType.Dictionary type, int position, Node condition) {
        this.position = position;
        this.entries = Schema.of("entry", type.value());
        this.condition = condition;
    }

    /// The dictionary's entries as the operand of the condition.
    static Node entry(DataType.Dictionary type) {
        return new Input(type.value(), 0);
    }

    @Override
    Truth truth(Rows rows) {
        DictionaryColumn column = (DictionaryColumn) rows.block().column(position);
        Column dictionary = column.dictionary();
        Truth perEntry;
        try (Block block = Block.sharing(entries, List.of(dictionary), dictionary.length())) {
            perEntry = condition.truth(new Rows(block, rows.allocator(), null));
        }
        long[] yes = new long[BitWords.words(rows.count())];
        long[] decided = perEntry.known() == null ? null : new long[yes.length];
        long[] valid = BitWords.valid(column.indices());
        look(column, valid, perEntry.yes(), yes);
        if (decided == null) {
            return Truth.of(yes, valid, rows.count());
        }
        look(column, valid, perEntry.known(), decided);
        return Truth.of(yes, BitWords.and(decided, valid), rows.count());
    }

    /// Sets the bits of the rows whose entry has its bit set; the index under a null may be anything.
    private static void look(DictionaryColumn column, long[] valid, long[] perEntry, long[] bits) {
        if (valid == null && column.indices() instanceof IntColumn indices) {
            MemorySegment values = indices.values();
            for (long row = 0; row < column.length(); row++) {
                int entry = values.getAtIndex(JAVA_INT, row);
                bits[(int) (row >>> 6)] |= (perEntry[entry >>> 6] >>> entry & 1L) << row;
            }
            return;
        }
        for (long row = 0; row < column.length(); row++) {
            if ((valid == null || BitWords.get(valid, row)) && BitWords.get(perEntry, column.index(row))) {
                BitWords.set(bits, row);
            }
        }
    }
}
