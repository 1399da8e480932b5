/// Values into the encodings of pages: plain, dictionaries, runs and bit-packing, deltas, byte streams; and the bounds
/// and filters that are told of them. Knows memory and numbers, neither columns nor files.
package dev.millrace.internal.parquet.encode;
