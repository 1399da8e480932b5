package dev.millrace.storage;

import dev.millrace.internal.wording.SecretText;
import java.io.IOException;

/// A permanent IO error: it is not retried. The message is a sentence, without the passwords of addresses.
public final class LastingIOException extends IOException implements SecretText.Reworded {
    private static final long serialVersionUID = 1L;

    /// A sentence, and what it came of.
    public LastingIOException(String message, Throwable cause) {
        super(SecretText.hide(message), SecretText.hide(cause));
    }

    @Override
    public LastingIOException reworded(String message, Throwable cause) {
        return new LastingIOException(message, cause);
    }

    /// The sentence alone.
    @Override
    public String toString() {
        return getMessage();
    }
}
