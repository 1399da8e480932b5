package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import java.lang.foreign.MemorySegment;

/// Emits the rows that result from the matches of probe rows, and the build rows that remain at the end.
record JoinPairs(JoinRole role, JoinOutput output) {
    /// Probes the table with a block.
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

    /// Emits pairs of probe rows and their matches.
    ///
    /// @param keeps whether unmatched probe rows are emitted too
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

    /// Emits rows of the table depending on whether they were matched.
    ///
    /// @param met a byte for each row, 0 if it was not matched
    /// @param nothing a block of the probe side without rows
    void leave(Block rows, MemorySegment met, Block nothing) {
        for (int row = 0; row < rows.rows(); row++) {
            if ((met.get(JAVA_BYTE, row) != 0) == role.wantsMet()) {
                output.add(rows, nothing, row, -1);
            }
        }
        output.flush(rows, nothing);
    }
}
