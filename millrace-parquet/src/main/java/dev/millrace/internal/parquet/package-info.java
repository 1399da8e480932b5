/// The format `parquet`, for `Session.readParquet` and `Dataset.writeParquet`; the packages below read and write it.
package dev.millrace.internal.parquet;
