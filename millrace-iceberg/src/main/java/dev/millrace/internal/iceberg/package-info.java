/// Connects Iceberg's metadata with Parquet files: converts types, filters and values, splits files, turns deletes into
/// skipped rows and written files into data files with metrics. The library's classes are used only here and in
/// `dev.millrace.iceberg`.
@NullMarked
package dev.millrace.internal.iceberg;

import org.jspecify.annotations.NullMarked;
