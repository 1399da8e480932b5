package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.FileMetadata;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.storage.StoredFile;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// What people want to know of a file's footer.
///
/// @param codecs the compressions of its pages, in lower case
/// @param writer who wrote the file, as it says itself; empty if it does not
public record FooterFacts(List<Group> groups, List<String> codecs, String writer) {
    /// One row group.
    ///
    /// @param bytes in the file
    public record Group(long rows, long bytes) {}

    /// @throws dev.millrace.error.MillraceException culprit DATA, if it is no Parquet file
    public static FooterFacts of(StoredFile file) {
        FileMetadata metadata = FooterLoader.read(file).metadata();
        TreeSet<String> codecs = new TreeSet<>();
        for (RowGroup group : metadata.rowGroups()) {
            for (ColumnChunk chunk : group.columns()) {
                codecs.add(chunk.codec().name().toLowerCase(Locale.ROOT));
            }
        }
        return new FooterFacts(
                metadata.rowGroups().stream()
                        .map(group -> new Group(group.rows(), group.compressedBytes()))
                        .toList(),
                List.copyOf(codecs),
                metadata.createdBy());
    }
}
