package dev.millrace.relation;

import java.io.Serializable;
import java.util.Objects;

/// A sort column and its direction. In both directions NaN comes after the numbers and null comes last.
public record SortKey(String column, boolean isDescending) implements Serializable {
    public SortKey {
        Objects.requireNonNull(column);
    }

    /// Ascending, NaN after the numbers, null last.
    public static SortKey ascending(String column) {
        return new SortKey(column, false);
    }

    /// Descending, NaN after the numbers, null last.
    public static SortKey descending(String column) {
        return new SortKey(column, true);
    }

    @Override
    public String toString() {
        return isDescending ? column + " desc" : column;
    }
}
