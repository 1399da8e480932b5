package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import java.lang.foreign.MemorySegment;

/// Which rows come out of what passing rows find in a table, and of what is left there at the end.
record JoinPairs(JoinRole role, JoinOutput output) {
    /// A passing block asks the table.
    void pass(BuildSide built, Block block) {
        built.ask(block, (from, count, found) -> {
            if (role.pairs()) {
                emit(built, block, from, count, found, role.keepsPassing());
            } else if (role.selects()) {
                output.addChosen(built.rows(), block, from, count, found, role.wantsMet());
            }
        });
        output.flush(built.rows(), block);
    }

    /// Pairs of passing rows and what they found.
    ///
    /// @param keeps whether those that found nothing come out too
    void emit(BuildSide built, Block block, int from, int count, int[] found, boolean keeps) {
        if (built.isUnique()) {
            output.addPairs(built.rows(), block, from, count, found, keeps);
            return;
        }
        for (int i = 0; i < count; i++) {
            if (found[i] < 0) {
                if (keeps) {
                    output.add(built.rows(), block, -1, from + i);
                }
            } else {
                for (int other = found[i]; other >= 0; other = built.after(other)) {
                    output.add(built.rows(), block, other, from + i);
                }
            }
        }
    }

    /// Rows of the table that come out because of whether they were met.
    ///
    /// @param met a byte for each row, 0 where it was not
    /// @param nothing a block of the passing side without rows
    void leave(Block rows, MemorySegment met, Block nothing) {
        for (int row = 0; row < rows.rows(); row++) {
            if ((met.get(JAVA_BYTE, row) != 0) == role.wantsMet()) {
                output.add(rows, nothing, row, -1);
            }
        }
        output.flush(rows, nothing);
    }
}
