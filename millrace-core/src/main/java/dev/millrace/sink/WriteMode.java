package dev.millrace.sink;

/// What happens to a target that is there already. A folder without entries, or with only such that begin with `_` or
/// `.`, counts as not there.
public enum WriteMode {
    /// New files beside the old ones.
    APPEND,
    /// New files instead of the old ones. The old ones, that is those that a read of the folder would find (in
    /// subfolders too), go when the new ones are in place. After a crash in between, a read or write of this library
    /// finishes it; other readers find both, never neither, and no file `_SUCCESS`.
    OVERWRITE,
    /// Nothing is written, and nothing runs.
    IGNORE,
    /// An error.
    ERROR
}
