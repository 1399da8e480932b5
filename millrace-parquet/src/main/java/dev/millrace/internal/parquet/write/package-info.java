/// Writes blocks to Parquet files: [dev.millrace.internal.parquet.write.ParquetFileWriter] distributes a block's
/// columns to one [dev.millrace.internal.parquet.write.LeafWriter] per leaf, which encodes pages and holds them until
/// the row group ends.
@NullMarked
package dev.millrace.internal.parquet.write;

import org.jspecify.annotations.NullMarked;
