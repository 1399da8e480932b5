package dev.millrace.internal.parquet.format;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The header of a page.
///
/// @param kind [#DATA], [#DICTIONARY] or [#DATA_V2]; others are skipped
/// @param values the number of entries, including nulls
/// @param rows of a v2 page; -1 otherwise
/// @param encoding null for kinds that are skipped
/// @param definitionBytes,repetitionBytes of a v2 page, whose levels are stored uncompressed before its values
/// @param crc null if there is none
/// @param oldLevels the definition levels have the encoding that was abandoned before the format's first release
public record PageHeader(
        int kind,
        int uncompressedBytes,
        int compressedBytes,
        @Nullable Integer crc,
        int values,
        int rows,
        @Nullable PageEncoding encoding,
        int definitionBytes,
        int repetitionBytes,
        boolean compressed,
        boolean oldLevels) {
    public static final int DATA = 0;
    public static final int DICTIONARY = 2;
    public static final int DATA_V2 = 3;

    /// The encoding of a page whose kind is not skipped.
    public PageEncoding requireEncoding() {
        return Objects.requireNonNull(encoding, "a page with values has an encoding");
    }

    /// Reads headers into the same arrays: a column has one every few thousand rows.
    public static final class Reader {
        private static final int V1 = 5 * ThriftReader.INNER;
        private static final int OF_DICTIONARY = 7 * ThriftReader.INNER;
        private static final int V2 = 8 * ThriftReader.INNER;

        private final byte[] types = new byte[9 * ThriftReader.INNER];
        private final long[] values = new long[types.length];

        private int count;
        private int rows;
        private @Nullable PageEncoding encoding;
        private boolean oldLevels;

        /// @throws MalformedParquet if the bytes are not a page header
        public PageHeader read(ThriftReader in) {
            Arrays.fill(types, (byte) 0);
            in.nestedFields(types, values);
            int kind = i32(1, -1);
            int uncompressed = i32(2, -1);
            int compressed = i32(3, -1);
            Integer crc = types[4] == 0 ? null : Integer.valueOf(i32(4, 0));
            count = -1;
            rows = -1;
            encoding = null;
            oldLevels = false;
            bodyV1(V1);
            bodyV1(OF_DICTIONARY);
            bodyV2();
            boolean isPage = kind == DATA || kind == DICTIONARY || kind == DATA_V2;
            if (uncompressed < 0 || compressed < 0 || isPage && (count < 0 || encoding == null)) {
                throw new MalformedParquet("a page header is damaged");
            }
            return new PageHeader(
                    kind,
                    uncompressed,
                    compressed,
                    crc,
                    count,
                    rows,
                    encoding,
                    i32(V2 + 5, 0),
                    i32(V2 + 6, 0),
                    types[V2 + 7] == 0 || ThriftReader.bool(types[V2 + 7]),
                    oldLevels);
        }

        /// The headers of data pages and dictionary pages begin alike.
        private void bodyV1(int body) {
            count = i32(body + 1, count);
            readEncoding(body + 2);
            // A dictionary page has a boolean at this position.
            oldLevels |= ThriftReader.isNumber(types[body + 3])
                    && PageEncoding.of(i32(body + 3, 0)) == PageEncoding.BIT_PACKED;
        }

        private void bodyV2() {
            count = i32(V2 + 1, count);
            rows = i32(V2 + 3, rows);
            readEncoding(V2 + 4);
        }

        private void readEncoding(int field) {
            if (types[field] != 0) {
                encoding = PageEncoding.of(i32(field, 0));
            }
        }

        private int i32(int field, int absent) {
            if (types[field] == 0) {
                return absent;
            }
            if (!ThriftReader.isNumber(types[field])) {
                throw ThriftReader.noNumber(types[field]);
            }
            return ThriftReader.narrow(values[field]);
        }
    }
}
