/// Writes blocks to Parquet files: [dev.millrace.internal.parquet.write.ParquetFileWriter] distributes a block's
/// columns to one [dev.millrace.internal.parquet.write.LeafWriter] per leaf, which encodes pages and holds them until
/// the row group ends.
package dev.millrace.internal.parquet.write;
