/// Converts a file's flattened schema to a tree of columns with their types and levels.
@NullMarked
package dev.millrace.internal.parquet.schema;

import org.jspecify.annotations.NullMarked;
