package dev.millrace.sink;

/// What happens if the target exists. A folder without entries, or only with entries that begin with `_` or `.`, counts
/// as not existing.
public enum WriteMode {
    /// New files beside the old ones.
    APPEND,
    /// New files instead of the old ones. The old ones, those that a read of the folder would find (in subfolders too),
    /// are removed when the new ones are in place. After a crash in between, a read or write by this library finishes
    /// it; other readers find both, never neither, and no file `_SUCCESS`.
    OVERWRITE,
    /// Nothing is written, and nothing runs.
    IGNORE,
    /// An error.
    ERROR
}
