package dev.millrace.internal.parquet.format;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The location of one column of a row group, and its metadata. An offset of 0 or less means that there is none.
///
/// @param onlyDictionary true only if every data page contains indices into the dictionary
/// @param bloomBytes the size of the bloom filter with its header; 0 if it is not given
public record ColumnChunk(
        PhysicalType type,
        PageCodec codec,
        long values,
        long uncompressedBytes,
        long compressedBytes,
        long dataOffset,
        long dictionaryOffset,
        boolean onlyDictionary,
        @Nullable ValueStatistics statistics,
        long bloomOffset,
        long bloomBytes,
        long offsetIndexOffset,
        int offsetIndexBytes,
        long columnIndexOffset,
        int columnIndexBytes,
        boolean encrypted)
        implements Serializable {

    /// The maximum compression ratio assumed in estimates; constant data can compress better.
    private static final long MAX_RATIO = 1024;

    /// The position of its first page.
    public long start() {
        return dictionaryOffset > 0 && dictionaryOffset < dataOffset ? dictionaryOffset : dataOffset;
    }

    /// The estimated size of its pages without compression: as given by the footer, but limited to what the compressed
    /// bytes can plausibly decompress to.
    public long estimatedBytes() {
        return Math.min(uncompressedBytes, Math.min(compressedBytes, Long.MAX_VALUE / MAX_RATIO - 1) * MAX_RATIO);
    }

    /// The same chunk without bounds, whose order is unknown.
    ColumnChunk withoutBounds() {
        return new ColumnChunk(
                type,
                codec,
                values,
                uncompressedBytes,
                compressedBytes,
                dataOffset,
                dictionaryOffset,
                onlyDictionary,
                statistics == null ? null : statistics.withoutBounds(),
                bloomOffset,
                bloomBytes,
                offsetIndexOffset,
                offsetIndexBytes,
                0,
                0,
                encrypted);
    }

    static ColumnChunk read(ThriftReader in) {
        Builder builder = new Builder();
        ThriftFields fields = new ThriftFields(in, 9);
        builder.otherFile = fields.has(1) ? fields.at(1).string() : null;
        if (fields.has(3)) {
            builder.metadata(fields.at(3));
        }
        builder.offsetIndexOffset = fields.i64(4, 0);
        builder.offsetIndexBytes = fields.i32(5, 0);
        builder.columnIndexOffset = fields.i64(6, 0);
        builder.columnIndexBytes = fields.i32(7, 0);
        builder.encrypted = fields.has(8);
        fields.leave();
        return builder.build();
    }

    private static final class Builder {
        private @Nullable String otherFile;
        private @Nullable PhysicalType type;
        private PageCodec codec = PageCodec.UNCOMPRESSED;
        private long values;
        private long uncompressedBytes;
        private long compressedBytes;
        private long dataOffset;
        private long dictionaryOffset;
        private @Nullable ValueStatistics statistics;
        private long bloomOffset;
        private long bloomBytes;
        private long offsetIndexOffset;
        private int offsetIndexBytes;
        private long columnIndexOffset;
        private int columnIndexBytes;
        private boolean encrypted;
        private long dictionaryPages;
        private long otherPages;
        private boolean miscounted;

        private void metadata(ThriftReader in) {
            ThriftFields fields = new ThriftFields(in, 16);
            if (fields.has(1)) {
                type = PhysicalType.of(fields.i32(1, 0));
            }
            codec = PageCodec.of(fields.i32(4, 0));
            values = fields.i64(5, 0);
            uncompressedBytes = fields.i64(6, 0);
            compressedBytes = fields.i64(7, 0);
            dataOffset = fields.i64(9, 0);
            dictionaryOffset = fields.i64(11, 0);
            if (fields.has(12)) {
                statistics = ValueStatistics.read(fields.at(12));
            }
            if (fields.has(13)) {
                fields.at(13).structs(this::encodingStatistics);
            }
            bloomOffset = fields.i64(14, 0);
            // Old writers use the field numbers for other things than the format defined later.
            bloomBytes = fields.isNumber(15) ? fields.i64(15, 0) : 0;
            fields.leave();
        }

        /// Counts data pages by whether they are in dictionary encoding.
        private Void encodingStatistics(ThriftReader in) {
            ThriftFields fields = new ThriftFields(in, 4);
            int pageType = fields.i32(1, -1);
            int encoding = fields.i32(2, -1);
            int count = fields.i32(3, 0);
            if (pageType == PageHeader.DATA || pageType == PageHeader.DATA_V2) {
                if (PageEncoding.of(encoding).isDictionary()) {
                    dictionaryPages += count;
                } else {
                    otherPages += count;
                }
                miscounted |= count < 0;
            }
            return null;
        }

        private ColumnChunk build() {
            if (otherFile != null) {
                throw new MalformedParquet(
                        "its columns lie in another file, '" + otherFile + "', which is not supported");
            }
            if (type == null || values < 0 || compressedBytes < 0 || uncompressedBytes < 0 || dataOffset < 0) {
                throw new MalformedParquet("its metadata of a column is damaged");
            }
            return new ColumnChunk(
                    type,
                    codec,
                    values,
                    uncompressedBytes,
                    compressedBytes,
                    dataOffset,
                    dictionaryOffset,
                    dictionaryPages > 0 && otherPages == 0 && !miscounted,
                    statistics,
                    bloomOffset,
                    bloomBytes,
                    offsetIndexOffset,
                    offsetIndexBytes,
                    columnIndexOffset,
                    columnIndexBytes,
                    encrypted);
        }
    }
}
