package dev.millrace.parquet;

/// The encoding of a column's values in a Parquet file.
public enum ParquetEncoding {
    /// Dictionary encoding as long as it pays; then plain.
    DICTIONARY,
    PLAIN,
    /// Integers, dates and times: the differences of neighbours. Small for sorted and clustered values.
    DELTA_BINARY_PACKED,
    /// Strings and binaries: all lengths, then all bytes.
    DELTA_LENGTH_BYTE_ARRAY,
    /// Strings and binaries: each without the prefix that it shares with the previous one. Small if sorted.
    DELTA_BYTE_ARRAY,
    /// Numbers: all first bytes, then all second ones, and so on. Makes floats compress better.
    BYTE_STREAM_SPLIT
}
