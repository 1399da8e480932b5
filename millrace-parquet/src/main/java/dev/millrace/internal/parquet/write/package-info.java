/// Blocks into Parquet files: [dev.millrace.internal.parquet.write.ParquetFileWriter] shares a block's columns out to a
/// [dev.millrace.internal.parquet.write.LeafWriter] per leaf, which makes pages and holds them until the row group
/// ends.
package dev.millrace.internal.parquet.write;
