package dev.millrace.source;

import java.io.Serializable;

/// Options of reading Arrow files.
///
/// @param paths adds the file's path to each row, in the column `path`
public record ReadArrow(boolean paths) implements Serializable {
    private static final ReadArrow DEFAULTS = new ReadArrow(false);

    public static ReadArrow defaults() {
        return DEFAULTS;
    }

    public ReadArrow includePaths() {
        return new ReadArrow(true);
    }
}
