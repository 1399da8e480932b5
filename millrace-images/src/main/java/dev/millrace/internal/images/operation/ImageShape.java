package dev.millrace.internal.images.operation;

/// The shape of an image, or what is known of it beforehand.
///
/// @param height [#ANY] where rows may differ
/// @param channels [#ANY] where rows may differ
public record ImageShape(int height, int width, int channels) {
    static final int ANY = -1;

    boolean knowsSize() {
        return height != ANY && width != ANY;
    }

    boolean isKnown() {
        return knowsSize() && channels != ANY;
    }

    ImageShape withSize(int newHeight, int newWidth) {
        return new ImageShape(newHeight, newWidth, channels);
    }

    ImageShape withChannels(int other) {
        return new ImageShape(height, width, other);
    }

    long bytes() {
        return (long) height * width * channels;
    }

    /// "640 x 480", width first as people say it.
    String size() {
        return width + " x " + height;
    }
}
