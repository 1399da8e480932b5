package dev.millrace.stats;

/// Files that were read or written, and their stored bytes. Both are 0 for data that is not in files (a range, a table
/// of a database).
public record FileStats(long files, long bytes) {
    public static final FileStats NONE = new FileStats(0, 0);

    /// The sums.
    public FileStats plus(FileStats other) {
        return new FileStats(files + other.files, bytes + other.bytes);
    }
}
