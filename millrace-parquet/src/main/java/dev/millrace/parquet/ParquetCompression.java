package dev.millrace.parquet;

/// The compression of pages in a Parquet file.
public enum ParquetCompression {
    NONE,
    SNAPPY,
    /// Levels 1 to 9.
    GZIP,
    /// Without levels.
    LZ4,
    /// Levels 1 to 22.
    ZSTD;

    int defaultLevel() {
        return switch (this) {
            case NONE, SNAPPY, LZ4 -> 0;
            case GZIP -> 6;
            case ZSTD -> 3;
        };
    }

    boolean hasLevel(int level) {
        return switch (this) {
            case NONE, SNAPPY, LZ4 -> level == 0;
            case GZIP -> level >= 1 && level <= 9;
            case ZSTD -> level >= 1 && level <= 22;
        };
    }
}
