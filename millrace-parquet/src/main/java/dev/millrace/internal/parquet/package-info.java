/// Parquet under its name, for `Session.readParquet` and `Dataset.writeParquet`; what reads and writes is below.
package dev.millrace.internal.parquet;
