package dev.millrace.sink;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// How files are written: `WriteOptions.defaults().overwrite().maxRowsPerFile(1_000_000)`.
///
/// Each task writes files of its own, one unless `maxRowsPerFile` makes it more.
///
/// @param minRowsPerFile blocks are bundled into tasks of at least so many rows; 0: each task writes what it has
/// @param maxRowsPerFile a file that has as many is closed and the next begun; Long.MAX_VALUE: no limit
public record WriteOptions(WriteMode mode, long minRowsPerFile, long maxRowsPerFile, FileNames names)
        implements Serializable {
    private static final WriteOptions DEFAULTS = new WriteOptions(WriteMode.APPEND, 0, Long.MAX_VALUE, FileNames.PARTS);

    public WriteOptions {
        if (minRowsPerFile < 0 || maxRowsPerFile < 1 || minRowsPerFile > maxRowsPerFile) {
            throw MillraceException.user("Rows per file need 0 <= min <= max and max >= 1, not min " + minRowsPerFile
                    + " and max " + maxRowsPerFile + ".");
        }
    }

    public static WriteOptions defaults() {
        return DEFAULTS;
    }

    public WriteOptions mode(WriteMode other) {
        return new WriteOptions(other, minRowsPerFile, maxRowsPerFile, names);
    }

    public WriteOptions append() {
        return mode(WriteMode.APPEND);
    }

    public WriteOptions overwrite() {
        return mode(WriteMode.OVERWRITE);
    }

    public WriteOptions ignoreExisting() {
        return mode(WriteMode.IGNORE);
    }

    public WriteOptions errorIfExists() {
        return mode(WriteMode.ERROR);
    }

    public WriteOptions minRowsPerFile(long rows) {
        return new WriteOptions(mode, rows, maxRowsPerFile, names);
    }

    public WriteOptions maxRowsPerFile(long rows) {
        return new WriteOptions(mode, minRowsPerFile, rows, names);
    }

    public WriteOptions names(FileNames provider) {
        return new WriteOptions(mode, minRowsPerFile, maxRowsPerFile, provider);
    }
}
