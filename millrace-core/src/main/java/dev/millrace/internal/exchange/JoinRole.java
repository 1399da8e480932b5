package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.relation.Join;

/// What a kind of join requires of a task with one side in a hash table (build side) and the other streamed (probe
/// side).
///
/// @param buildsLeft whether the left is the build side
record JoinRole(Join.Kind kind, boolean buildsLeft) {
    /// Whether unmatched rows of the probe side are emitted with nulls.
    boolean keepsPassing() {
        return buildsLeft ? kind.keepsRight() : kind.keepsLeft();
    }

    /// Whether it matters at the end which build rows were matched.
    boolean marks() {
        return buildsLeft ? kind.keepsLeft() || kind.isLeftOnly() : kind.keepsRight() || kind.isRightOnly();
    }

    /// Whether rows of both sides are emitted as pairs.
    boolean pairs() {
        return !kind.isLeftOnly() && !kind.isRightOnly();
    }

    /// Whether only rows of the probe side are emitted, depending on whether they match.
    boolean selects() {
        return !marks() && !pairs();
    }

    /// For rows that are emitted because they matched or because they did not: whether it is the former.
    boolean wantsMet() {
        return !pairs() && !kind.isAnti();
    }

    /// Whether rows of the probe side can have any effect.
    boolean asks(Block built) {
        return built.rows() > 0 || keepsPassing() || !marks() && kind.isAnti();
    }
}
