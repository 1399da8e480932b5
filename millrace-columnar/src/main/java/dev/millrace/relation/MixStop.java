package dev.millrace.relation;

/// When a mix of datasets ends.
public enum MixStop {
    /// When the next dataset has no row left: the shares hold to the end, and the remaining rows of the others are not
    /// used.
    FIRST_EXHAUSTED,
    /// When all rows are used: an exhausted dataset drops out, and the others share the rest.
    ALL_EXHAUSTED
}
