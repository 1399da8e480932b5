package dev.millrace.parquet;

/// How the values of a column are laid out in a Parquet file.
public enum ParquetEncoding {
    /// Each distinct value once, as long as that pays; then plain.
    DICTIONARY,
    PLAIN,
    /// Integers, dates and times: the differences of neighbours. Small for sorted and clustered values.
    DELTA_BINARY_PACKED,
    /// Strings and binaries: all lengths, then all bytes.
    DELTA_LENGTH_BYTE_ARRAY,
    /// Strings and binaries: without what each has in common with the one before. Small for sorted ones.
    DELTA_BYTE_ARRAY,
    /// Numbers: all first bytes, then all second ones. Makes floats compress.
    BYTE_STREAM_SPLIT
}
