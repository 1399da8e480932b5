/// Iceberg tables: [Iceberg] is where reading and writing of them begins. Metadata is the reference library's, data
/// files are read and written by millrace-parquet; nothing here needs Hadoop. `designs/iceberg.md` says what is
/// refused.
@NullMarked
package dev.millrace.iceberg;

import org.jspecify.annotations.NullMarked;
