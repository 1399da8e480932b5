package dev.millrace.sink;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.List;

/// How files are written: `WriteOptions.defaults().overwrite().maxRowsPerFile(1_000_000)`.
///
/// Each task writes files of its own, one unless `maxRowsPerFile`, `maxBytesPerFile` or `partitionBy` makes it more.
///
/// @param minRowsPerFile blocks are bundled into tasks of at least this many rows; 0: each task writes what it has
/// @param maxRowsPerFile a file that has this many is closed and the next begun; Long.MAX_VALUE: no limit
/// @param maxBytesPerFile a file that has about this many is closed and the next begun; Long.MAX_VALUE: no limit
/// @param partitionBy columns that become folders, `year=2024/month=5/...`, and are omitted from the files; empty: none
public record WriteOptions(
        WriteMode mode,
        long minRowsPerFile,
        long maxRowsPerFile,
        long maxBytesPerFile,
        List<String> partitionBy,
        FileNames names)
        implements Serializable {
    private static final WriteOptions DEFAULTS =
            new WriteOptions(WriteMode.APPEND, 0, Long.MAX_VALUE, Long.MAX_VALUE, List.of(), FileNames.PARTS);

    public WriteOptions {
        if (minRowsPerFile < 0 || maxRowsPerFile < 1 || minRowsPerFile > maxRowsPerFile) {
            throw MillraceException.user("Rows per file need 0 <= min <= max and max >= 1, not min " + minRowsPerFile
                    + " and max " + maxRowsPerFile + ".");
        }
        if (maxBytesPerFile < 1) {
            throw MillraceException.user("A file has 1 or more bytes, not at most " + maxBytesPerFile + ".");
        }
        partitionBy = List.copyOf(partitionBy);
        if (partitionBy.stream().distinct().count() < partitionBy.size()) {
            throw MillraceException.user("partitionBy: a column is named twice: " + partitionBy + ".");
        }
    }

    /// New files beside existing ones, as large as tasks make them.
    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    /// What happens if the target exists.
    public WriteOptions mode(WriteMode other) {
        return new WriteOptions(other, minRowsPerFile, maxRowsPerFile, maxBytesPerFile, partitionBy, names);
    }

    /// New files beside existing ones.
    public WriteOptions append() {
        return mode(WriteMode.APPEND);
    }

    /// New files instead of existing ones.
    public WriteOptions overwrite() {
        return mode(WriteMode.OVERWRITE);
    }

    /// Writes nothing if the target exists.
    public WriteOptions ignoreExisting() {
        return mode(WriteMode.IGNORE);
    }

    /// An error if the target exists.
    public WriteOptions errorIfExists() {
        return mode(WriteMode.ERROR);
    }

    /// Blocks are bundled into tasks of at least this many rows.
    public WriteOptions minRowsPerFile(long rows) {
        return new WriteOptions(mode, rows, maxRowsPerFile, maxBytesPerFile, partitionBy, names);
    }

    /// A file ends after this many rows.
    public WriteOptions maxRowsPerFile(long rows) {
        return new WriteOptions(mode, minRowsPerFile, rows, maxBytesPerFile, partitionBy, names);
    }

    /// A file ends at about this many bytes.
    public WriteOptions maxBytesPerFile(long bytes) {
        return new WriteOptions(mode, minRowsPerFile, maxRowsPerFile, bytes, partitionBy, names);
    }

    /// Distributes rows over folders named after their values, as Hive does: `partitionBy("year", "month")` creates
    /// `year=2024/month=5/part-...`. Values are escaped as `%3A`; null is `__HIVE_DEFAULT_PARTITION__`. Strings,
    /// integers, booleans, dates and decimals can be such columns. A dataset without rows creates no file.
    public WriteOptions partitionBy(String... columns) {
        return new WriteOptions(mode, minRowsPerFile, maxRowsPerFile, maxBytesPerFile, List.of(columns), names);
    }

    /// Names of files other than `part-...`.
    public WriteOptions names(FileNames provider) {
        return new WriteOptions(mode, minRowsPerFile, maxRowsPerFile, maxBytesPerFile, partitionBy, provider);
    }
}
