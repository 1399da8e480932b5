package dev.millrace.internal.parquet.decode;

/// The values of one page, in order, of differing lengths. Nulls have no value here.
public abstract class BytesDecoder {
    public abstract void read(BytesSink target, int count);

    public abstract void skip(int count);
}
