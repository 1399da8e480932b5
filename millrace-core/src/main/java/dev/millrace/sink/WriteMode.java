package dev.millrace.sink;

/// What happens to a target that is there already. A folder without entries, or with only such that begin with `_` or
/// `.`, counts as not there.
public enum WriteMode {
    /// New files beside the old ones.
    APPEND,
    /// New files instead of the old ones. The old ones, that is those that a read of the folder would find (in
    /// subfolders too), are deleted after the new ones are in place: a crash in between leaves both, never neither.
    OVERWRITE,
    /// Nothing is written, and nothing runs.
    IGNORE,
    /// An error.
    ERROR
}
