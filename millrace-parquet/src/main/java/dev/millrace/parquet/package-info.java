/// Options of Parquet files: `session.readParquet(path, ReadParquet.columns("id"))`,
/// `dataset.writeParquet(folder, WriteParquet.defaults().bloomFilter("id"))`.
package dev.millrace.parquet;
