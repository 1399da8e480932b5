package dev.millrace.internal.parquet.format;

/// The storage types of values, in the format's numbering.
public enum PhysicalType {
    BOOLEAN,
    INT32,
    INT64,
    INT96,
    FLOAT,
    DOUBLE,
    BYTE_ARRAY,
    FIXED_LEN_BYTE_ARRAY;

    private static final PhysicalType[] ALL = values();

    static PhysicalType of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw new MalformedParquet("there is no physical type " + code);
        }
        return ALL[code];
    }
}
