package dev.millrace.internal.parquet.format;

import org.jspecify.annotations.Nullable;

/// Writes page headers in Thrift.
public final class PageHeaderBytes {
    private PageHeaderBytes() {}

    /// @param crc null if there is none
    private static void begin(int kind, int uncompressed, int compressed, @Nullable Integer crc, ThriftWriter out) {
        out.begin();
        out.i32(1, kind);
        out.i32(2, uncompressed);
        out.i32(3, compressed);
        if (crc != null) {
            out.i32(4, crc);
        }
    }

    public static void dictionary(
            int values, int uncompressed, int compressed, @Nullable Integer crc, ThriftWriter out) {
        begin(PageHeader.DICTIONARY, uncompressed, compressed, crc, out);
        out.begin(7);
        out.i32(1, values);
        out.i32(2, PageEncoding.PLAIN.code());
        out.bool(3, false);
        out.end();
        out.end();
    }

    /// A data page of version 1.
    public static void data(
            int values,
            PageEncoding encoding,
            int uncompressed,
            int compressed,
            @Nullable Integer crc,
            ThriftWriter out) {
        begin(PageHeader.DATA, uncompressed, compressed, crc, out);
        out.begin(5);
        out.i32(1, values);
        out.i32(2, encoding.code());
        out.i32(3, PageEncoding.RLE.code());
        out.i32(4, PageEncoding.RLE.code());
        out.end();
        out.end();
    }

    /// Fields that only a data page of version 2 has.
    public record V2(int rows, int nulls, int definitionBytes, int repetitionBytes, boolean isCompressed) {}

    public static void dataV2(
            int values,
            PageEncoding encoding,
            int uncompressed,
            int compressed,
            @Nullable Integer crc,
            V2 v2,
            ThriftWriter out) {
        begin(PageHeader.DATA_V2, uncompressed, compressed, crc, out);
        out.begin(8);
        out.i32(1, values);
        out.i32(2, v2.nulls());
        out.i32(3, v2.rows());
        out.i32(4, encoding.code());
        out.i32(5, v2.definitionBytes());
        out.i32(6, v2.repetitionBytes());
        out.bool(7, v2.isCompressed());
        out.end();
        out.end();
    }
}
