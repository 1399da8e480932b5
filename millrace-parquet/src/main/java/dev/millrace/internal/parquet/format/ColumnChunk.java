package dev.millrace.internal.parquet.format;

import java.io.Serializable;

/// Where one column of a row group lies, and what is known of it. An offset of 0 or less: there is none.
public record ColumnChunk(
        PhysicalType type,
        Codec codec,
        long values,
        long uncompressedBytes,
        long compressedBytes,
        long dataOffset,
        long dictionaryOffset,
        boolean onlyDictionary,
        Statistics statistics,
        long bloomOffset,
        long offsetIndexOffset,
        int offsetIndexBytes,
        long columnIndexOffset,
        int columnIndexBytes,
        boolean encrypted)
        implements Serializable {

    /// Where its first page begins.
    public long start() {
        return dictionaryOffset > 0 && dictionaryOffset < dataOffset ? dictionaryOffset : dataOffset;
    }

    static ColumnChunk read(ThriftReader in) {
        Builder builder = new Builder();
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> builder.otherFile = in.string();
                case 3 -> builder.metadata(in);
                case 4 -> builder.offsetIndexOffset = in.i64();
                case 5 -> builder.offsetIndexBytes = in.i32();
                case 6 -> builder.columnIndexOffset = in.i64();
                case 7 -> builder.columnIndexBytes = in.i32();
                case 8 -> {
                    builder.encrypted = true;
                    in.skip();
                }
                default -> in.skip();
            }
        }
        return builder.build();
    }

    private static final class Builder {
        private String otherFile;
        private PhysicalType type;
        private Codec codec = Codec.UNCOMPRESSED;
        private long values;
        private long uncompressedBytes;
        private long compressedBytes;
        private long dataOffset;
        private long dictionaryOffset;
        private Statistics statistics;
        private long bloomOffset;
        private long offsetIndexOffset;
        private int offsetIndexBytes;
        private long columnIndexOffset;
        private int columnIndexBytes;
        private boolean encrypted;
        private int dictionaryPages;
        private int otherPages;

        private void metadata(ThriftReader in) {
            in.beginStruct();
            while (in.nextField()) {
                switch (in.fieldId()) {
                    case 1 -> type = PhysicalType.of(in.i32());
                    case 4 -> codec = Codec.of(in.i32());
                    case 5 -> values = in.i64();
                    case 6 -> uncompressedBytes = in.i64();
                    case 7 -> compressedBytes = in.i64();
                    case 9 -> dataOffset = in.i64();
                    case 11 -> dictionaryOffset = in.i64();
                    case 12 -> statistics = Statistics.read(in);
                    case 13 -> in.structs(this::encodingStatistics);
                    case 14 -> bloomOffset = in.i64();
                    default -> in.skip();
                }
            }
        }

        /// Counts data pages by whether they are in dictionary encoding.
        private Void encodingStatistics(ThriftReader in) {
            int pageType = -1;
            int encoding = -1;
            int count = 0;
            in.beginStruct();
            while (in.nextField()) {
                switch (in.fieldId()) {
                    case 1 -> pageType = in.i32();
                    case 2 -> encoding = in.i32();
                    case 3 -> count = in.i32();
                    default -> in.skip();
                }
            }
            if (pageType == PageHeader.DATA || pageType == PageHeader.DATA_V2) {
                if (Encoding.of(encoding).isDictionary()) {
                    dictionaryPages += count;
                } else {
                    otherPages += count;
                }
            }
            return null;
        }

        private ColumnChunk build() {
            if (otherFile != null) {
                throw new Malformed("its columns lie in another file, '" + otherFile + "', which is not supported");
            }
            if (type == null || values < 0 || compressedBytes < 0 || uncompressedBytes < 0 || dataOffset < 0) {
                throw new Malformed("its metadata of a column is damaged");
            }
            return new ColumnChunk(
                    type,
                    codec,
                    values,
                    uncompressedBytes,
                    compressedBytes,
                    dataOffset,
                    dictionaryOffset,
                    dictionaryPages > 0 && otherPages == 0,
                    statistics,
                    bloomOffset,
                    offsetIndexOffset,
                    offsetIndexBytes,
                    columnIndexOffset,
                    columnIndexBytes,
                    encrypted);
        }
    }
}
