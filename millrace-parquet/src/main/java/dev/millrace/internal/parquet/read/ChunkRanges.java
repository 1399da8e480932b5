package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.storage.RandomFile.Range;
import java.util.ArrayList;
import java.util.List;

/// The locations of the columns of row groups in a file, which a storage can prefetch.
final class ChunkRanges {
    /// Row groups after the first are included while the total is below this.
    private static final long MAX_BYTES = 24 << 20;

    private ChunkRanges() {}

    /// The ranges of the row group `first`, and of the next ones if they are small.
    static List<Range> of(List<RowGroup> groups, int first, List<SchemaNode> nodes) {
        List<Range> ranges = new ArrayList<>();
        long bytes = 0;
        for (int i = first; i < groups.size(); i++) {
            List<Range> own = new ArrayList<>();
            for (SchemaNode node : nodes) {
                add(groups.get(i), node, own);
            }
            bytes += own.stream().mapToLong(range -> range.to() - range.from()).sum();
            if (i > first && bytes > MAX_BYTES) {
                break;
            }
            ranges.addAll(own);
        }
        return ranges;
    }

    private static void add(RowGroup group, SchemaNode node, List<Range> ranges) {
        switch (node) {
            case SchemaNode.Leaf leaf -> {
                ColumnChunk chunk = group.columns().get(leaf.column());
                ranges.add(new Range(chunk.start(), chunk.start() + chunk.compressedBytes() + PageReader.MISCOUNTED));
            }
            case SchemaNode.Struct struct -> struct.fields().forEach(field -> add(group, field, ranges));
            case SchemaNode.ListOf list -> add(group, list.element(), ranges);
            case SchemaNode.MapOf map -> {
                add(group, map.key(), ranges);
                add(group, map.value(), ranges);
            }
        }
    }
}
