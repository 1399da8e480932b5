package dev.millrace.internal.csv;

import java.io.Serializable;

/// How records and fields are told apart. All are ASCII; -1 where there is none.
///
/// @param quote around fields; doubled it means itself
/// @param escape makes of the next byte a plain one, in quotes and outside
/// @param comment begins a line that is no record
record CsvDialect(byte delimiter, int quote, int escape, int comment) implements Serializable {
    /// True if every quote, delimiter and line end can be found without looking for anything else.
    boolean isPlain() {
        return escape < 0 && comment < 0;
    }
}
