package dev.millrace.internal.avro;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.json.JsonText;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The header of a container file.
///
/// @param sync the 16-byte sync marker that ends each block
/// @param end the position of the first block
record AvroHeader(AvroType schema, AvroCodec codec, byte[] sync, long end) {
    static final byte[] MAGIC = {'O', 'b', 'j', 1};
    static final int SYNC_BYTES = 16;
    private static final long MAX_BYTES = 64 << 20;
    private static final int MAX_ENTRIES = 10_000;

    /// @param wideDecimals how decimals with more than 38 digits are read; null if they are errors
    static AvroHeader read(FeedReader in, @Nullable DataType wideDecimals) throws IOException {
        String what = "the header of an Avro file";
        if (!in.has(MAGIC.length) || !Arrays.equals(in.bytes(MAGIC.length, what), MAGIC)) {
            throw in.malformed(0, "this is no Avro file: it does not begin with 'Obj' and a 1");
        }
        byte[] schema = null;
        String codec = "null";
        int entries = 0;
        for (long count = count(in, what); count != 0; count = count(in, what)) {
            for (long i = 0; i < count; i++) {
                if (++entries > MAX_ENTRIES) {
                    throw in.malformed("the metadata has more than " + MAX_ENTRIES + " entries");
                }
                String key = new String(bytes(in, what), StandardCharsets.UTF_8);
                byte[] value = bytes(in, what);
                if (key.equals("avro.schema")) {
                    schema = value;
                } else if (key.equals("avro.codec")) {
                    codec = new String(value, StandardCharsets.UTF_8);
                }
            }
        }
        byte[] sync = in.bytes(SYNC_BYTES, what);
        if (schema == null) {
            throw in.malformed("the file does not say its schema");
        }
        AvroCodec known = AvroCodec.named(codec);
        if (known == null) {
            throw in.malformed("the compression '" + codec
                    + "' is not known. Null, deflate, snappy, zstandard, bzip2 and" + " xz are");
        }
        try {
            AvroType type = AvroSchema.of(JsonText.parse(schema), wideDecimals);
            ColumnTypes.of(type);
            return new AvroHeader(type, known, sync, in.position());
        } catch (IllegalArgumentException e) {
            throw in.malformed("the schema cannot be read: " + e.getMessage());
        }
    }

    private static long count(FeedReader in, String what) throws IOException {
        long count = number(in, what);
        if (count < 0) {
            number(in, what);
        }
        return Math.abs(count);
    }

    private static byte[] bytes(FeedReader in, String what) throws IOException {
        long length = number(in, what);
        if (length < 0 || length > MAX_BYTES) {
            throw in.malformed("the metadata has an entry of " + length + " bytes");
        }
        return in.bytes((int) length, what);
    }

    /// A zigzag varint.
    static long number(FeedReader in, String what) throws IOException {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte piece = in.bytes(1, what)[0];
            value |= (long) (piece & 0x7F) << shift;
            if (piece >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw in.malformed("a number has more than ten bytes");
    }
}
