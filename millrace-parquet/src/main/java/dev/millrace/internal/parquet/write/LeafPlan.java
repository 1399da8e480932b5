package dev.millrace.internal.parquet.write;

import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.sink.ParquetEncoding;
import dev.millrace.sink.WriteParquet;
import java.util.List;

/// How a leaf column is written.
///
/// @param path the names from the root to the leaf
/// @param type what the values mean to a column of ours; dictionaries as their values
record LeafPlan(
        SchemaNode.Leaf leaf,
        List<String> path,
        dev.millrace.type.DataType type,
        WriteParquet.Compressed compression,
        ParquetEncoding encoding,
        boolean bloomFilter) {
    String name() {
        return String.join(".", path);
    }
}
