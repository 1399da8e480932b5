package dev.millrace.sink;

/// How rows become JSON: `WriteJson.lines()`.
///
/// Times are texts as ISO 8601 writes them, binary is Base64, tensors are nested arrays, maps with keys of text are
/// objects and others arrays of `{"key":..., "value":...}`.
///
/// @param array one array per file in place of one object per line
/// @param withoutNulls leaves fields out that are null
/// @param namedFloats writes `NaN`, `Infinity` and `-Infinity`, which JSON does not have but Python and this library
/// read;
///     otherwise they become null, as Ray Data has it
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

    /// Leaves fields out that are null.
    public WriteJson leaveOutNulls() {
        return new WriteJson(array, true, namedFloats);
    }

    /// Writes numbers that JSON does not have by their names.
    public WriteJson nameFloats() {
        return new WriteJson(array, withoutNulls, true);
    }
}
