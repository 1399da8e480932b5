/// Parquet files for Millrace. A user needs nothing of this package: `session.readParquet(...)` finds it.
package dev.millrace.parquet;
