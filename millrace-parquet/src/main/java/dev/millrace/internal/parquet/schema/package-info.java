/// Converts a file's flattened schema to a tree of columns with their types and levels.
package dev.millrace.internal.parquet.schema;
