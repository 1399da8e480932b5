/// Options of Parquet files: `session.readParquet(path, ReadParquet.columns("id"))`,
/// `dataset.writeParquet(folder, WriteParquet.defaults().bloomFilter("id"))`.
@NullMarked
package dev.millrace.parquet;

import org.jspecify.annotations.NullMarked;
