package dev.millrace.internal.parquet.format;

import org.jspecify.annotations.Nullable;

/// The fields of one struct by their number, read in one pass: see [ThriftReader#fields]. The caller gives the default
/// of a missing field; a field of an unexpected type is [MalformedParquet].
final class ThriftFields {
    private final ThriftReader in;
    /// 0 if the field is missing.
    private final byte[] types;
    /// The value of a number; for other fields the position where they begin.
    private final long[] values;
    /// The position after the struct.
    private final int end;

    /// Reads the next struct; fields numbered `most` and above are skipped.
    ThriftFields(ThriftReader in, int most) {
        this.in = in;
        this.types = new byte[most];
        this.values = new long[most];
        in.fields(types, values);
        this.end = in.position();
    }

    boolean has(int field) {
        return types[field] != 0;
    }

    boolean isNumber(int field) {
        return ThriftReader.isNumber(types[field]);
    }

    long i64(int field, long absent) {
        if (types[field] == 0) {
            return absent;
        }
        if (!ThriftReader.isNumber(types[field])) {
            throw ThriftReader.noNumber(types[field]);
        }
        return values[field];
    }

    int i32(int field, int absent) {
        return ThriftReader.narrow(i64(field, absent));
    }

    boolean bool(int field, boolean absent) {
        if (types[field] == 0) {
            return absent;
        }
        return ThriftReader.bool(types[field]);
    }

    /// Null if the field is missing.
    byte @Nullable [] binary(int field) {
        if (types[field] == 0) {
            return null;
        }
        byte[] bytes = at(field).binary();
        leave();
        return bytes;
    }

    /// Positions the reader at the field, which must exist; [#leave] ends that.
    ThriftReader at(int field) {
        in.moveTo((int) values[field], types[field]);
        return in;
    }

    /// Positions the reader after the struct.
    void leave() {
        in.moveTo(end);
    }
}
