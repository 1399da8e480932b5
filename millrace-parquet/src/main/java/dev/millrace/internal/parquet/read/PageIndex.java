package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.ColumnIndex;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.format.RowGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The page index of a row group, read on demand. If a column has none, or one that contradicts itself, the result is
/// null: pages are then read sequentially. One thread.
final class PageIndex {
    private static final int MAX_BYTES = 64 << 20;

    private final FileBytes file;
    private final RowGroup group;
    private final Map<Integer, Optional<OffsetIndex>> places = new HashMap<>();

    PageIndex(FileBytes file, RowGroup group) {
        this.file = file;
        this.group = group;
    }

    /// The locations of a leaf column's pages.
    @Nullable
    OffsetIndex places(int column) {
        return places.computeIfAbsent(column, this::readPlaces).orElse(null);
    }

    private Optional<OffsetIndex> readPlaces(int column) {
        ColumnChunk chunk = group.columns().get(column);
        byte[] bytes = bytes(chunk.offsetIndexOffset(), chunk.offsetIndexBytes());
        try {
            return bytes == null ? Optional.empty() : Optional.of(OffsetIndex.read(bytes, chunk, group.rows()));
        } catch (MalformedParquet e) {
            return Optional.empty();
        }
    }

    /// The bounds of a leaf column's pages, as many as there are in [#places].
    @Nullable
    ColumnIndex ranges(int column) {
        ColumnChunk chunk = group.columns().get(column);
        byte[] bytes = bytes(chunk.columnIndexOffset(), chunk.columnIndexBytes());
        if (bytes == null) {
            return null;
        }
        OffsetIndex pages = places(column);
        if (pages == null) {
            return null;
        }
        try {
            ColumnIndex index = ColumnIndex.read(bytes);
            return index.pages() == pages.pages() ? index : null;
        } catch (MalformedParquet e) {
            return null;
        }
    }

    private byte @Nullable [] bytes(long position, int count) {
        if (position <= 0 || count <= 0 || count > MAX_BYTES || position > file.size() - count) {
            return null;
        }
        return file.read(position, count);
    }
}
