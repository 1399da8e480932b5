package dev.millrace.internal.parquet.format;

/// The fields of one struct by their number, read in one pass: see [ThriftReader#fields]. A field that is not there is
/// what its caller says; one of another type than asked for is [MalformedParquet].
final class ThriftFields {
    private final ThriftReader in;
    /// 0 where the field is not there.
    private final byte[] types;
    /// Numbers; of other fields where they begin.
    private final long[] values;
    /// What follows the struct.
    private final int end;

    /// Reads the struct that comes next; fields numbered `most` and beyond are skipped.
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

    /// Null where it is not there.
    byte[] binary(int field) {
        if (types[field] == 0) {
            return null;
        }
        byte[] bytes = at(field).binary();
        leave();
        return bytes;
    }

    /// Makes the field, which must be there, what the reader reads next; [#leave] ends that.
    ThriftReader at(int field) {
        in.moveTo((int) values[field], types[field]);
        return in;
    }

    /// Goes on behind the struct.
    void leave() {
        in.moveTo(end);
    }
}
