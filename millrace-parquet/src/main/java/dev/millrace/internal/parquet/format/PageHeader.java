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
        int kind = -1;
        int uncompressed = -1;
        int compressed = -1;
        Integer crc = null;
        Body body = new Body();
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> kind = in.i32();
                case 2 -> uncompressed = in.i32();
                case 3 -> compressed = in.i32();
                case 4 -> crc = in.i32();
                case 5, 7 -> body.readV1(in);
                case 8 -> body.readV2(in);
                default -> in.skip();
            }
        }
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
            in.beginStruct();
            while (in.nextField()) {
                switch (in.fieldId()) {
                    case 1 -> values = in.i32();
                    case 2 -> encoding = Encoding.of(in.i32());
                    case 3 -> oldLevels |= in.isNumber() && Encoding.of(in.i32()) == Encoding.BIT_PACKED;
                    default -> in.skip();
                }
            }
        }

        private void readV2(ThriftReader in) {
            in.beginStruct();
            while (in.nextField()) {
                switch (in.fieldId()) {
                    case 1 -> values = in.i32();
                    case 3 -> rows = in.i32();
                    case 4 -> encoding = Encoding.of(in.i32());
                    case 5 -> definitionBytes = in.i32();
                    case 6 -> repetitionBytes = in.i32();
                    case 7 -> compressed = in.bool();
                    default -> in.skip();
                }
            }
        }
    }
}
