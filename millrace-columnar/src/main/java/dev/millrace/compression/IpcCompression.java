package dev.millrace.compression;

/// How the buffers of Arrow IPC record batches are compressed. Each buffer is compressed by itself, and stays as it is
/// where that would not make it smaller.
public enum IpcCompression {
    /// As they lie in memory: read without a copy from mapped files.
    NONE,
    /// LZ4 frames: fast, about half the size.
    LZ4,
    /// Zstandard: smaller and slower. Uses a native library: the JVM prints a warning unless the program runs with
    /// `--enable-native-access=ALL-UNNAMED`.
    ZSTD
}
