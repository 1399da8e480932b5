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
import org.jspecify.annotations.Nullable;

/// A condition on one dictionary column and constants: evaluated once per entry of the dictionary, then looked up per
/// row. Only for conditions that never fail, since an entry may be used by no row.
final class OverDictionary extends PredicateNode {
    private final int position;
    private final Schema entries;
    private final ExpressionNode condition;

    /// @param condition over [#entry]
    OverDictionary(DataType.Dictionary type, int position, ExpressionNode condition) {
        this.position = position;
        this.entries = Schema.of("entry", type.value());
        this.condition = condition;
    }

    /// The entries of the dictionary as the operand of the condition.
    static ExpressionNode entry(DataType.Dictionary type) {
        return new InputNode(type.value(), 0);
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        DictionaryColumn column = (DictionaryColumn) rows.block().column(position);
        Column dictionary = column.dictionary();
        TruthBits perEntry;
        try (Block block = Block.sharing(entries, List.of(dictionary), dictionary.length())) {
            perEntry = condition.truth(new EvaluationRows(block, rows.allocator(), null));
        }
        long[] yes = new long[BitWords.words(rows.count())];
        long[] known = perEntry.known();
        long[] valid = BitWords.valid(column.indices());
        look(column, valid, perEntry.yes(), yes);
        if (known == null) {
            return TruthBits.of(yes, valid, rows.count());
        }
        long[] decided = new long[yes.length];
        look(column, valid, known, decided);
        return TruthBits.of(yes, BitWords.and(decided, valid), rows.count());
    }

    /// Sets the bits of the rows whose entry has its bit set; the index of a null row is undefined.
    private static void look(DictionaryColumn column, long @Nullable [] valid, long[] perEntry, long[] bits) {
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
