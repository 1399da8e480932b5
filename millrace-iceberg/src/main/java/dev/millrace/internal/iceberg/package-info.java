/// Between Iceberg's metadata and Parquet files: types, filters and values in the terms of both, files into splits,
/// deletes into rows to leave out, written files into data files with metrics. The library's classes stay here and in
/// `dev.millrace.iceberg`.
@NullMarked
package dev.millrace.internal.iceberg;

import org.jspecify.annotations.NullMarked;
