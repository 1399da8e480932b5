/// Parquet's metadata: footers, page headers and indexes in Thrift's compact protocol, as records. Independent of
/// columns; does not trust its input.
@NullMarked
package dev.millrace.internal.parquet.format;

import org.jspecify.annotations.NullMarked;
