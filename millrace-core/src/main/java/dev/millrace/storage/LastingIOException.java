package dev.millrace.storage;

import java.io.IOException;

/// An IO error that waiting does not cure: it is not tried again. The message is a sentence.
public final class LastingIOException extends IOException {
    private static final long serialVersionUID = 1L;

    public LastingIOException(String message, Throwable cause) {
        super(message, cause);
    }

    /// The sentence alone.
    @Override
    public String toString() {
        return getMessage();
    }
}
