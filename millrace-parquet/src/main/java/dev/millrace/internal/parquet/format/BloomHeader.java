package dev.millrace.internal.parquet.format;

/// The header of a bloom filter.
///
/// @param bytes the size of the bit set
/// @param known whether the filter has the only form that the format defines: split blocks, xxHash64, not compressed
public record BloomHeader(int bytes, boolean known) {
    public static BloomHeader read(ThriftReader in) {
        int bytes = -1;
        int known = 0;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> bytes = in.i32();
                case 2, 3, 4 -> known += isFirst(in) ? 1 : 0;
                default -> in.skip();
            }
        }
        if (bytes < 32 || bytes % 32 != 0) {
            throw new MalformedParquet("a bloom filter of " + bytes + " bytes");
        }
        return new BloomHeader(bytes, known == 3);
    }

    /// Writes the header of a filter in the only form that the format defines.
    public static void write(int bytes, ThriftWriter out) {
        out.begin();
        out.i32(1, bytes);
        for (int choice = 2; choice <= 4; choice++) {
            out.begin(choice);
            out.empty(1);
            out.end();
        }
        out.end();
    }

    /// Whether a union contains its first alternative.
    private static boolean isFirst(ThriftReader in) {
        boolean first = false;
        in.beginStruct();
        while (in.nextField()) {
            first = in.fieldId() == 1;
            in.skip();
        }
        return first;
    }
}
