package dev.millrace.storage;

import dev.millrace.internal.wording.SecretText;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A permanent IO error: it is not retried. The message is a sentence, without the passwords of addresses.
public final class LastingIOException extends IOException implements SecretText.Reworded {
    private static final long serialVersionUID = 1L;

    /// An error with a message and a cause.
    public LastingIOException(String message, @Nullable Throwable cause) {
        super(SecretText.hide(message), cause == null ? null : SecretText.hide(cause));
    }

    @Override
    public LastingIOException reworded(@Nullable String message, @Nullable Throwable cause) {
        return new LastingIOException(Objects.requireNonNullElse(message, ""), cause);
    }

    /// The message alone.
    @Override
    @SuppressWarnings("OverrideThrowableToString") // errors quote their cause by it, and this one is a sentence
    public String toString() {
        return String.valueOf(getMessage());
    }
}
