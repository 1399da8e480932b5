package dev.millrace.internal.images.codec;

/// Thrown for bytes that cannot be decoded as an image. The message continues a sentence that begins with a name:
/// "'a.jpg' " + "is cut off".
public final class BadImage extends Exception {
    private static final long serialVersionUID = 1L;

    public BadImage(String message) {
        super(message, null, false, false);
    }
}
