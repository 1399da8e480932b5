package dev.millrace.sink;

/// How rows become JSON: `WriteJson.lines()`.
///
/// Times are ISO 8601 texts, binary is Base64, tensors are nested arrays, maps with text keys are objects and others
/// arrays of `{"key":..., "value":...}`.
///
/// @param array one array per file instead of one object per line
/// @param withoutNulls omits fields that are null
/// @param namedFloats writes `NaN`, `Infinity` and `-Infinity`, which JSON does not have but Python and this library
///     read; otherwise they become null, as in Ray Data
public record WriteJson(boolean array, boolean withoutNulls, boolean namedFloats) implements WriteFormatOptions {
    private static final WriteJson LINES = new WriteJson(false, false, false);

    /// One object per line.
    public static WriteJson lines() {
        return LINES;
    }

    /// One array of objects per file.
    public static WriteJson arrays() {
        return new WriteJson(true, false, false);
    }

    /// Omits fields that are null.
    public WriteJson leaveOutNulls() {
        return new WriteJson(array, true, namedFloats);
    }

    /// Writes numbers that JSON does not have by their names.
    public WriteJson nameFloats() {
        return new WriteJson(array, withoutNulls, true);
    }
}
