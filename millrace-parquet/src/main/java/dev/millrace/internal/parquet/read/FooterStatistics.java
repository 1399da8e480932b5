package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PageHeader;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.format.ThriftReader;
import dev.millrace.internal.parquet.prune.MergedStatistics;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ColumnStatistics;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Column statistics from the footers of files. If these have no distinct counts and a column is dictionary-encoded,
/// the dictionary page's header has one: one small read per chunk, done only for few chunks of local files.
final class FooterStatistics {
    private static final int MAX_DICTIONARIES = 64;
    private static final int HEADER_BYTES = 64;

    private FooterStatistics() {}

    static ColumnStatistics of(List<StoredFile> files, String column, DataType type) {
        MergedStatistics merged = new MergedStatistics(type);
        int dictionaries = MAX_DICTIONARIES;
        for (StoredFile file : files) {
            FileFooter footer = FooterLoader.read(file);
            int position = footer.columns().schema().indexOf(column);
            if (position < 0) {
                merged.addMissing(footer.metadata().rows());
                continue;
            }
            SchemaNode.Leaf leaf = leaf(footer.columns(), position, type);
            if (leaf == null) {
                return ColumnStatistics.UNKNOWN;
            }
            dictionaries -= footer.metadata().rowGroups().size();
            add(merged, file, footer, leaf, dictionaries >= 0);
        }
        return merged.merged();
    }

    private static SchemaNode.@Nullable Leaf leaf(FileSchema file, int position, DataType type) {
        return file.columns().get(position) instanceof SchemaNode.Leaf leaf
                        && leaf.repetition() == 0
                        && leaf.type().equals(type)
                ? leaf
                : null;
    }

    private static void add(
            MergedStatistics merged, StoredFile file, FileFooter footer, SchemaNode.Leaf leaf, boolean mayRead) {
        boolean local = mayRead && StorageRegistry.of(file.path()) instanceof LocalStorage;
        FileBytes bytes = null;
        try {
            for (RowGroup group : footer.metadata().rowGroups()) {
                ColumnChunk chunk = group.columns().get(leaf.column());
                long distinct =
                        chunk.statistics() == null ? -1 : chunk.statistics().distinct();
                if (distinct < 0 && local && chunk.onlyDictionary() && !chunk.encrypted()) {
                    bytes = bytes == null
                            ? FileBytes.open(file, Allocator.collected("the dictionaries of " + file.path()))
                            : bytes;
                    distinct = entries(bytes, chunk);
                }
                merged.add(leaf, chunk.statistics(), chunk.values(), distinct);
            }
        } finally {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    /// The number of a dictionary's entries; -1 if there is no valid header: the reader of the data reports that.
    private static long entries(FileBytes file, ColumnChunk chunk) {
        try {
            byte[] begin = file.read(chunk.start(), (int) Math.min(HEADER_BYTES, file.size() - chunk.start()));
            PageHeader header = new PageHeader.Reader().read(new ThriftReader(begin, 0, begin.length));
            return header.kind() == PageHeader.DICTIONARY ? header.values() : -1;
        } catch (MalformedParquet _) {
            return -1;
        }
    }
}
