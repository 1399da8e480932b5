/// The format `parquet`, for `Session.readParquet` and `Dataset.writeParquet`; the packages below read and write it.
@NullMarked
package dev.millrace.internal.parquet;

import org.jspecify.annotations.NullMarked;
