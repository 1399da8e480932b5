/// Decoders for the encodings of page values: page bytes to values in the layout of a column. Each decoder belongs to
/// one page and one thread; whatever a page contains, none accesses memory out of bounds.
@NullMarked
package dev.millrace.internal.parquet.decode;

import org.jspecify.annotations.NullMarked;
