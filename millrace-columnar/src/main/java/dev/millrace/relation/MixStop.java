package dev.millrace.relation;

/// When a mix of datasets ends.
public enum MixStop {
    /// Where a dataset that is next has no row left: the shares hold to the end, and rows of the others are left over.
    FIRST_EXHAUSTED,
    /// When all rows have come: a dataset without rows drops out, and the others share what follows.
    ALL_EXHAUSTED
}
