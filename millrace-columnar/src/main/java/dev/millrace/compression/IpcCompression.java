package dev.millrace.compression;

/// The compression of buffers in Arrow IPC record batches. Each buffer is compressed separately, and stays uncompressed
/// if that would not make it smaller.
public enum IpcCompression {
    /// Uncompressed: memory-mapped files are read without a copy.
    NONE,
    /// LZ4 frames: fast, about half the size.
    LZ4,
    /// Zstandard: smaller and slower. Uses a native library: the JVM prints a warning unless the program runs with
    /// `--enable-native-access=ALL-UNNAMED`.
    ZSTD
}
