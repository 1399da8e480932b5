package dev.millrace.stats;

/// Files that were read or written, and their bytes as they are stored. Of what lies in no files (a range, a table of a
/// database) both are 0.
public record FileStats(long files, long bytes) {
    public static final FileStats NONE = new FileStats(0, 0);

    /// The sums.
    public FileStats plus(FileStats other) {
        return new FileStats(files + other.files, bytes + other.bytes);
    }
}
