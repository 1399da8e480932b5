package dev.millrace.internal.parquet.format;

import java.util.List;
import java.util.Map;

/// Writes a file's footer in Thrift.
public final class FooterBytes {
    /// @param chunks one per leaf column
    /// @param indexes the location of each chunk's page index
    public record Group(long rows, List<WrittenChunk> chunks, List<IndexPlace> indexes) {}

    /// @param columnBytes 0 if there is no column index
    public record IndexPlace(long offsetsAt, int offsetsBytes, long columnAt, int columnBytes) {}

    private FooterBytes() {}

    public static void write(
            List<SchemaElement> schema,
            List<Group> groups,
            Map<String, String> properties,
            String createdBy,
            ThriftWriter out) {
        out.begin();
        out.i32(1, 2);
        out.structs(2, schema.size());
        for (SchemaElement element : schema) {
            SchemaBytes.write(element, out);
        }
        out.i64(3, groups.stream().mapToLong(Group::rows).sum());
        out.structs(4, groups.size());
        for (int i = 0; i < groups.size(); i++) {
            group(groups.get(i), i, out);
        }
        if (!properties.isEmpty()) {
            out.structs(5, properties.size());
            properties.forEach((key, value) -> {
                out.begin();
                out.string(1, key);
                out.string(2, value);
                out.end();
            });
        }
        out.string(6, createdBy);
        // Every leaf's bounds have the order of its type.
        int leaves =
                (int) schema.stream().filter(element -> element.type() != null).count();
        out.structs(7, leaves);
        for (int i = 0; i < leaves; i++) {
            out.begin();
            out.empty(1);
            out.end();
        }
        out.end();
    }

    private static void group(Group group, int ordinal, ThriftWriter out) {
        out.begin();
        out.structs(1, group.chunks().size());
        for (int i = 0; i < group.chunks().size(); i++) {
            WrittenChunk chunk = group.chunks().get(i);
            IndexPlace index = group.indexes().get(i);
            out.begin();
            out.i64(2, 0);
            chunk.write(out);
            out.i64(4, index.offsetsAt());
            out.i32(5, index.offsetsBytes());
            if (index.columnBytes() > 0) {
                out.i64(6, index.columnAt());
                out.i32(7, index.columnBytes());
            }
            out.end();
        }
        out.i64(
                2,
                group.chunks().stream()
                        .mapToLong(WrittenChunk::uncompressedBytes)
                        .sum());
        out.i64(3, group.rows());
        if (!group.chunks().isEmpty()) {
            out.i64(5, group.chunks().getFirst().start());
        }
        out.i64(
                6,
                group.chunks().stream().mapToLong(WrittenChunk::compressedBytes).sum());
        if (ordinal <= Short.MAX_VALUE) {
            out.i16(7, ordinal);
        }
        out.end();
    }
}
