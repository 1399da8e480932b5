package dev.millrace.internal.parquet.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The metadata of a column chunk that was written.
///
/// @param path the names from the root to the leaf
/// @param values the number of entries, including nulls
/// @param dictionaryOffset -1 if there is no dictionary page
/// @param pages the number of data pages per encoding
/// @param bounds null if there are none
/// @param bloomOffset -1 if there is no bloom filter
public record WrittenChunk(
        PhysicalType type,
        List<String> path,
        PageCodec codec,
        long values,
        long uncompressedBytes,
        long compressedBytes,
        long dataOffset,
        long dictionaryOffset,
        List<PageCount> pages,
        boolean v2,
        @Nullable WrittenBounds bounds,
        long nulls,
        long bloomOffset,
        int bloomBytes) {
    public record PageCount(PageEncoding encoding, int count) {}

    public WrittenChunk withBloomFilter(long offset, int bytes) {
        return new WrittenChunk(
                type,
                path,
                codec,
                values,
                uncompressedBytes,
                compressedBytes,
                dataOffset,
                dictionaryOffset,
                pages,
                v2,
                bounds,
                nulls,
                offset,
                bytes);
    }

    /// The position of the chunk.
    public long start() {
        return dictionaryOffset >= 0 ? dictionaryOffset : dataOffset;
    }

    void write(ThriftWriter out) {
        out.begin(3);
        out.i32(1, type.ordinal());
        out.i32s(2, encodings());
        out.strings(3, path.toArray(String[]::new));
        out.i32(4, codec.ordinal());
        out.i64(5, values);
        out.i64(6, uncompressedBytes);
        out.i64(7, compressedBytes);
        out.i64(9, dataOffset);
        if (dictionaryOffset >= 0) {
            out.i64(11, dictionaryOffset);
        }
        out.begin(12);
        WrittenBounds.statistics(bounds, nulls, out);
        out.end();
        out.structs(13, pages.size() + (dictionaryOffset >= 0 ? 1 : 0));
        if (dictionaryOffset >= 0) {
            pageCount(PageHeader.DICTIONARY, new PageCount(PageEncoding.PLAIN, 1), out);
        }
        for (PageCount count : pages) {
            pageCount(v2 ? PageHeader.DATA_V2 : PageHeader.DATA, count, out);
        }
        if (bloomOffset >= 0) {
            out.i64(14, bloomOffset);
            out.i32(15, bloomBytes);
        }
        out.end();
    }

    private static void pageCount(int kind, PageCount count, ThriftWriter out) {
        out.begin();
        out.i32(1, kind);
        out.i32(2, count.encoding().code());
        out.i32(3, count.count());
        out.end();
    }

    private int[] encodings() {
        java.util.TreeSet<Integer> codes = new java.util.TreeSet<>();
        codes.add(PageEncoding.RLE.code());
        if (dictionaryOffset >= 0) {
            codes.add(PageEncoding.PLAIN.code());
        }
        pages.forEach(page -> codes.add(page.encoding().code()));
        return codes.stream().mapToInt(Integer::intValue).toArray();
    }
}
