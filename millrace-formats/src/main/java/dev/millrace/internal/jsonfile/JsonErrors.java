package dev.millrace.internal.jsonfile;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonSyntaxException;

/// Error messages about malformed files.
final class JsonErrors {
    private JsonErrors() {}

    /// @param where file, line and byte
    static MillraceException of(JsonSyntaxException e, String where) {
        if (!e.isClash()) {
            return MillraceException.data(where + ": " + e.getMessage() + ".");
        }
        return MillraceException.data(where + ": " + e.getMessage()
                + ". Columns and types come from samples of some files unless they are given: give one with"
                + " ReadJson.column(name, type) (utf8 takes any value as text), take larger samples with"
                + " sampleBytes(n) or of all files with unionOfAllFiles(), or pass over unknown fields with"
                + " ignoreUnknown().");
    }
}
