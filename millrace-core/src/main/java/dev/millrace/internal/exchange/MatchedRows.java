package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Which rows of a shared hash table a task matched.
///
/// @param met their numbers; immutable
/// @param rows the number of rows of the table
/// @param passing the columns of the probe rows
record MatchedRows(BitSet met, int rows, Schema passing) implements ProbeFeedback {
    static MatchedRows of(BuildSide built, Schema passing) {
        MemorySegment marked = built.met();
        int rows = Math.toIntExact(built.rows().rows());
        BitSet met = new BitSet(rows);
        for (int row = 0; row < rows; row++) {
            if (marked.get(JAVA_BYTE, row) != 0) {
                met.set(row);
            }
        }
        return new MatchedRows(met, rows, passing);
    }

    @Override
    public ProbeFeedback with(ProbeFeedback other) {
        MatchedRows more = (MatchedRows) other;
        BitSet both = (BitSet) met.clone();
        both.or(more.met);
        return new MatchedRows(both, rows, passing);
    }

    /// A byte for each row, 0 for unmatched ones.
    MemorySegment segment() {
        byte[] bytes = new byte[rows];
        met.stream().forEach(row -> bytes[row] = 1);
        return MemorySegment.ofArray(bytes);
    }
}
