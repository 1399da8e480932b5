package dev.millrace.source;

/// Options of reading Arrow files.
///
/// @param files what all reads of files have in common
public record ReadArrow(FileReads files) implements ReadFormatOptions {
    private static final ReadArrow DEFAULTS = new ReadArrow(FileReads.defaults());

    /// All columns of all files.
    public static ReadArrow defaults() {
        return DEFAULTS;
    }

    /// Adds the file's path to each row, in the column `path`.
    public ReadArrow includePaths() {
        return new ReadArrow(files.includePaths());
    }

    /// Which files, and columns made of their paths.
    public ReadArrow files(FileReads options) {
        return new ReadArrow(options);
    }

    /// See [FileReads#columns].
    public ReadArrow columns(String... names) {
        return files(files.columns(names));
    }

    /// See [FileReads#unionOfAllFiles].
    public ReadArrow unionOfAllFiles() {
        return files(files.unionOfAllFiles());
    }
}
