package dev.millrace.images.options;

/// The channels of an image's pixels, 8 bits each.
public enum ImageMode {
    /// Red, green, blue. Transparency is dropped, grey becomes three equal channels.
    RGB(3),
    /// Red, green, blue, alpha; images without transparency are opaque (255).
    RGBA(4),
    /// One channel: luma with the weights of ITU-R 601, which is PIL's mode `L`. Its tensors are height x width;
    /// tensors of height x width x 1 are accepted too.
    GREY(1);

    private final int channels;

    ImageMode(int channels) {
        this.channels = channels;
    }

    /// The number of channels, which is the number of bytes per pixel.
    public int channels() {
        return channels;
    }
}
