/// Encodes the values of pages: plain, dictionaries, runs and bit-packing, deltas, byte streams; and computes their
/// bounds and bloom filters. Independent of columns and files.
@NullMarked
package dev.millrace.internal.parquet.encode;

import org.jspecify.annotations.NullMarked;
