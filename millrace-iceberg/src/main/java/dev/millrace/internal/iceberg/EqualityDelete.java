package dev.millrace.internal.iceberg;

import dev.millrace.type.Schema;
import java.io.Serializable;

/// A file whose rows delete all rows that have the same values in some columns; null equals null.
///
/// @param columns the columns that are compared
record EqualityDelete(dev.millrace.internal.parquet.read.TableFile file, Schema columns) implements Serializable {}
