package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.decode.ValueKind;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.SchemaNode;
import java.util.List;

/// Estimates the size of rows in memory from a footer. Dictionary encoding hides the size of strings: they count with
/// at least the usual size of a short word.
final class MemoryEstimate {
    private static final double SHORT_WORD = 12;

    private MemoryEstimate() {}

    static double perRow(RowGroup group, List<SchemaNode> nodes) {
        double bytes = 0;
        for (SchemaNode node : nodes) {
            bytes += perRow(group, node);
        }
        return Math.max(0.125, bytes);
    }

    private static double perRow(RowGroup group, SchemaNode node) {
        return switch (node) {
            case SchemaNode.Leaf leaf -> leaf(group, leaf);
            case SchemaNode.Struct struct -> perRow(group, struct.fields());
            case SchemaNode.ListOf list -> 4 + perRow(group, list.element());
            case SchemaNode.MapOf map -> 4 + perRow(group, map.key()) + perRow(group, map.value());
        };
    }

    private static double leaf(RowGroup group, SchemaNode.Leaf leaf) {
        ColumnChunk chunk = group.columns().get(leaf.column());
        double values = (double) chunk.values() / Math.max(1, group.rows());
        int width = ValueKind.of(leaf.element(), leaf.type(), leaf.int96()).width();
        double stored = (double) chunk.estimatedBytes() / Math.max(1, group.rows());
        return width > 0 ? values * width : 4 * values + Math.max(stored, SHORT_WORD * values);
    }
}
