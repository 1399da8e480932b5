package dev.millrace.internal.parquet.format;

/// The encodings of page values.
public enum PageEncoding {
    PLAIN(0),
    PLAIN_DICTIONARY(2),
    RLE(3),
    BIT_PACKED(4),
    DELTA_BINARY_PACKED(5),
    DELTA_LENGTH_BYTE_ARRAY(6),
    DELTA_BYTE_ARRAY(7),
    RLE_DICTIONARY(8),
    BYTE_STREAM_SPLIT(9);

    private static final PageEncoding[] ALL = values();

    private final int code;

    PageEncoding(int code) {
        this.code = code;
    }

    public boolean isDictionary() {
        return this == PLAIN_DICTIONARY || this == RLE_DICTIONARY;
    }

    public int code() {
        return code;
    }

    static PageEncoding of(int code) {
        for (PageEncoding encoding : ALL) {
            if (encoding.code == code) {
                return encoding;
            }
        }
        throw new MalformedParquet("there is no encoding " + code);
    }
}
