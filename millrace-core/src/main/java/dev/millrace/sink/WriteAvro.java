package dev.millrace.sink;

import java.util.Objects;

/// Options of writing Avro files.
public record WriteAvro(Codec codec) implements WriteFormatOptions {
    /// How blocks are compressed.
    public enum Codec {
        NULL,
        DEFLATE,
        SNAPPY,
        ZSTANDARD
    }

    private static final WriteAvro DEFAULTS = new WriteAvro(Codec.SNAPPY);

    public WriteAvro {
        Objects.requireNonNull(codec);
    }

    /// Snappy.
    public static WriteAvro defaults() {
        return DEFAULTS;
    }

    /// The compression of blocks, by its name in the format.
    public static WriteAvro codec(String name) {
        for (Codec codec : Codec.values()) {
            if (codec.name().equalsIgnoreCase(name)) {
                return new WriteAvro(codec);
            }
        }
        throw dev.millrace.error.MillraceException.user("writeAvro: there is no compression '" + name
                + "' to write. Use \"null\", \"deflate\", \"snappy\" or \"zstandard\".");
    }
}
