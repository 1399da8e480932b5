package dev.millrace.source;

/// Options of reading Arrow files.
///
/// @param files the common options of all reads of files
public record ReadArrow(FileReads files) implements FileReadOptions<ReadArrow> {
    private static final ReadArrow DEFAULTS = new ReadArrow(FileReads.defaults());

    /// All columns of all files.
    public static ReadArrow defaults() {
        return DEFAULTS;
    }

    /// Which files, and the columns of their paths.
    @Override
    public ReadArrow files(FileReads options) {
        return new ReadArrow(options);
    }

    /// See [FileReads#columns].
    public ReadArrow columns(String... names) {
        return files(files.columns(names));
    }
}
