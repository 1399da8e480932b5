package dev.millrace.sink;

import dev.millrace.compression.IpcCompression;
import java.util.Objects;

/// Options of writing Arrow files.
///
/// @param compression of the buffers
public record WriteArrow(IpcCompression compression) implements WriteFormatOptions {
    private static final WriteArrow DEFAULTS = new WriteArrow(IpcCompression.NONE);

    public WriteArrow {
        Objects.requireNonNull(compression, "compression");
    }

    /// Not compressed.
    public static WriteArrow defaults() {
        return DEFAULTS;
    }

    /// Buffers with this compression.
    public static WriteArrow of(IpcCompression compression) {
        return new WriteArrow(compression);
    }
}
