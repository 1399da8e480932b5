package dev.millrace.internal.parquet.write;

import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.parquet.ParquetEncoding;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.type.DataType;
import java.util.List;

/// How a leaf column is written.
///
/// @param path the names from the root to the leaf
/// @param bloomValues the number of values for which a row group's bloom filter is sized
/// @param type the column type of the values; for dictionaries their value type
record LeafPlan(
        SchemaNode.Leaf leaf,
        List<String> path,
        DataType type,
        WriteParquet.Compressed compression,
        ParquetEncoding encoding,
        boolean bloomFilter,
        long bloomValues) {
    String name() {
        return String.join(".", path);
    }
}
