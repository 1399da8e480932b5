/// Iceberg tables: [Iceberg] is the entry point. Metadata is handled by the reference library, data files are read and
/// written by millrace-parquet; nothing here needs Hadoop. `designs/iceberg.md` lists what is not supported.
@NullMarked
package dev.millrace.iceberg;

import org.jspecify.annotations.NullMarked;
