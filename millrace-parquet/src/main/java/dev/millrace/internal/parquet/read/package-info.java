/// Reads Parquet files: plans splits from paths, and reads row groups into blocks. Input: paths and options, a filter,
/// a projection; output: blocks. Decoding is in a package of its own; independent of plans, engine and runtimes.
@NullMarked
package dev.millrace.internal.parquet.read;

import org.jspecify.annotations.NullMarked;
