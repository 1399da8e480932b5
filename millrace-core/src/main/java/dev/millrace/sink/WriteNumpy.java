package dev.millrace.sink;

import java.util.Objects;

/// Options of writing NumPy's files.
///
/// @param column the one whose values the arrays hold
public record WriteNumpy(String column) implements WriteFormatOptions {
    public WriteNumpy {
        Objects.requireNonNull(column);
    }

    /// The column that becomes arrays.
    public static WriteNumpy of(String column) {
        return new WriteNumpy(column);
    }
}
