package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.relation.Join;

/// What a kind of join asks of a task that has one side in a table while the other passes.
///
/// @param buildsLeft whether the table is the left's
record JoinRole(Join.Kind kind, boolean buildsLeft) {
    /// Whether rows of the passing side without a match come out with nulls.
    boolean keepsPassing() {
        return buildsLeft ? kind.keepsRight() : kind.keepsLeft();
    }

    /// Whether it matters at the end which rows of the table were met.
    boolean marks() {
        return buildsLeft ? kind.keepsLeft() || kind.isLeftOnly() : kind.keepsRight() || kind.isRightOnly();
    }

    /// Whether rows of both sides come out together.
    boolean pairs() {
        return !kind.isLeftOnly() && !kind.isRightOnly();
    }

    /// Whether just rows of the passing side come out, chosen by whether they are met.
    boolean selects() {
        return !marks() && !pairs();
    }

    /// Of rows that come out because they were met or because they were not: whether it is the former.
    boolean wantsMet() {
        return !pairs() && !kind.isAnti();
    }

    /// Whether rows of the passing side can change anything.
    boolean asks(Block built) {
        return built.rows() > 0 || keepsPassing() || !marks() && kind.isAnti();
    }
}
