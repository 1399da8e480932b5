package dev.millrace.images.options;

/// Which channels the pixels of an image have, 8 bits each.
public enum ImageMode {
    /// Red, green, blue. Transparency is dropped, grey becomes three equal channels.
    RGB(3),
    /// Red, green, blue, alpha; images without transparency are opaque (255).
    RGBA(4),
    /// One channel: luma as ITU-R 601 weighs it, which is what PIL calls `L`. Its tensors are height x width; those of
    /// height x width x 1 are taken too.
    GREY(1);

    private final int channels;

    ImageMode(int channels) {
        this.channels = channels;
    }

    /// Bytes of a pixel.
    public int channels() {
        return channels;
    }
}
