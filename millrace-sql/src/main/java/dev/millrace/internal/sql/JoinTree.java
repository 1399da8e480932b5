package dev.millrace.internal.sql;

import java.util.BitSet;

/// An order of joins, and what it probably costs.
///
/// @param leaf number of the leaf, -1 for a join
/// @param leaves all that it joins
/// @param rows it probably gives
/// @param distinct of each class of equal columns, how many different values its rows have; NaN where nothing is known
/// @param cost rows that all of its joins read and give
record JoinTree(int leaf, JoinTree left, JoinTree right, BitSet leaves, double rows, double[] distinct, double cost) {
    boolean isLeaf() {
        return leaf >= 0;
    }
}
