package dev.millrace.internal.csv;

import java.io.Serializable;

/// The syntax of records and fields. All characters are ASCII; -1 if there is none.
///
/// @param quote encloses fields; doubled, it stands for itself
/// @param escape makes the next byte literal, inside and outside of quotes
/// @param comment begins a line that is not a record
record CsvDialect(byte delimiter, int quote, int escape, int comment) implements Serializable {
    /// True if quotes, delimiters and line ends are the only bytes that matter for finding fields.
    boolean isPlain() {
        return escape < 0 && comment < 0;
    }
}
