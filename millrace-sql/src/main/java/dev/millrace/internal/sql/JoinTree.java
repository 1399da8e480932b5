package dev.millrace.internal.sql;

import java.util.BitSet;

/// A join order with its estimated cost.
///
/// @param leaf the number of the leaf, -1 for a join
/// @param leaves all leaves of the tree
/// @param rows the estimated number of rows
/// @param distinct for each class of equal columns, the number of distinct values; NaN if unknown
/// @param cost the number of rows that all of its joins read and produce
record JoinTree(int leaf, JoinTree left, JoinTree right, BitSet leaves, double rows, double[] distinct, double cost) {
    boolean isLeaf() {
        return leaf >= 0;
    }
}
