package dev.millrace.internal.parquet.format;

/// Compression of pages, in the format's numbering. `LZ4` is Hadoop's framing of LZ4 blocks, `LZ4_RAW` one plain block.
public enum PageCodec {
    UNCOMPRESSED,
    SNAPPY,
    GZIP,
    LZO,
    BROTLI,
    LZ4,
    ZSTD,
    LZ4_RAW;

    private static final PageCodec[] ALL = values();

    static PageCodec of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw new MalformedParquet("there is no compression " + code);
        }
        return ALL[code];
    }
}
