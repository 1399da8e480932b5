package dev.millrace.internal.avro;

import java.util.Locale;

/// How the blocks of a file are compressed.
enum AvroCodec {
    NULL,
    DEFLATE,
    SNAPPY,
    ZSTANDARD,
    BZIP2,
    XZ;

    /// What the file calls it.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @return null if it is not known
    static AvroCodec named(String label) {
        for (AvroCodec codec : values()) {
            if (codec.label().equals(label)) {
                return codec;
            }
        }
        return null;
    }
}
