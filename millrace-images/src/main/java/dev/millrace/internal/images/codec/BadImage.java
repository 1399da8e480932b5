package dev.millrace.internal.images.codec;

/// Bytes that are no image that can be decoded. The message goes on behind a name: "'a.jpg' " + "is cut off".
public final class BadImage extends Exception {
    private static final long serialVersionUID = 1L;

    public BadImage(String message) {
        super(message, null, false, false);
    }
}
