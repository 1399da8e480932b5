package dev.millrace.internal.avro;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How the blocks of a file are compressed.
enum AvroCodec {
    NULL,
    DEFLATE,
    SNAPPY,
    ZSTANDARD,
    BZIP2,
    XZ;

    /// The codec's name in the file header.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @return null if the codec is unknown
    static @Nullable AvroCodec named(String label) {
        for (AvroCodec codec : values()) {
            if (codec.label().equals(label)) {
                return codec;
            }
        }
        return null;
    }
}
