package dev.millrace.internal.sql;

import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A join order with its estimated cost.
///
/// @param leaf the number of the leaf, -1 for a join
/// @param leaves all leaves of the tree
/// @param rows the estimated number of rows
/// @param distinct for each class of equal columns, the number of distinct values; NaN if unknown
/// @param cost the number of rows that all of its joins read and produce
record JoinTree(
        int leaf,
        @Nullable JoinTree left,
        @Nullable JoinTree right,
        BitSet leaves,
        double rows,
        double[] distinct,
        double cost) {
    JoinTree requireLeft() {
        return Objects.requireNonNull(left, "a join has sides");
    }

    JoinTree requireRight() {
        return Objects.requireNonNull(right, "a join has sides");
    }

    boolean isLeaf() {
        return leaf >= 0;
    }
}
