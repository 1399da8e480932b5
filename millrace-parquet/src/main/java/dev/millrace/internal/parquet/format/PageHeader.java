package dev.millrace.internal.parquet.format;

/// What stands before each page.
///
/// @param kind [#DATA], [#DICTIONARY] or [#DATA_V2]; others are skipped
/// @param values entries, nulls included
/// @param rows of a v2 page; -1 elsewhere
/// @param definitionBytes,repetitionBytes of a v2 page, whose levels lie uncompressed before its values
/// @param crc null where there is none
/// @param oldLevels definition levels in the encoding that was given up before the format's first release
public record PageHeader(
        int kind,
        int uncompressedBytes,
        int compressedBytes,
        Integer crc,
        int values,
        int rows,
        Encoding encoding,
        int definitionBytes,
        int repetitionBytes,
        boolean compressed,
        boolean oldLevels) {
    public static final int DATA = 0;
    public static final int DICTIONARY = 2;
    public static final int DATA_V2 = 3;

    public static PageHeader read(ThriftReader in) {
        ThriftFields fields = new ThriftFields(in, 9);
        int kind = fields.i32(1, -1);
        int uncompressed = fields.i32(2, -1);
        int compressed = fields.i32(3, -1);
        Integer crc = fields.has(4) ? fields.i32(4, 0) : null;
        Body body = new Body();
        if (fields.has(5)) {
            body.readV1(fields.at(5));
        }
        if (fields.has(7)) {
            body.readV1(fields.at(7));
        }
        if (fields.has(8)) {
            body.readV2(fields.at(8));
        }
        fields.leave();
        boolean isPage = kind == DATA || kind == DICTIONARY || kind == DATA_V2;
        if (uncompressed < 0 || compressed < 0 || isPage && (body.values < 0 || body.encoding == null)) {
            throw new Malformed("a page header is damaged");
        }
        return new PageHeader(
                kind,
                uncompressed,
                compressed,
                crc,
                body.values,
                body.rows,
                body.encoding,
                body.definitionBytes,
                body.repetitionBytes,
                body.compressed,
                body.oldLevels);
    }

    private static final class Body {
        private int values = -1;
        private int rows = -1;
        private Encoding encoding;
        private int definitionBytes;
        private int repetitionBytes;
        private boolean compressed = true;
        private boolean oldLevels;

        /// A data page's header and a dictionary page's begin alike.
        private void readV1(ThriftReader in) {
            ThriftFields fields = new ThriftFields(in, 4);
            values = fields.i32(1, values);
            encoding = encoding(fields, 2);
            // A dictionary page has a boolean there.
            oldLevels |= fields.isNumber(3) && Encoding.of(fields.i32(3, 0)) == Encoding.BIT_PACKED;
        }

        private void readV2(ThriftReader in) {
            ThriftFields fields = new ThriftFields(in, 8);
            values = fields.i32(1, values);
            rows = fields.i32(3, rows);
            encoding = encoding(fields, 4);
            definitionBytes = fields.i32(5, 0);
            repetitionBytes = fields.i32(6, 0);
            compressed = fields.bool(7, true);
        }

        private static Encoding encoding(ThriftFields fields, int field) {
            return fields.has(field) ? Encoding.of(fields.i32(field, 0)) : null;
        }
    }
}
