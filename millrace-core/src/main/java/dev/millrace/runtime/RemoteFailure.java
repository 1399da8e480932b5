package dev.millrace.runtime;

import org.jspecify.annotations.Nullable;

/// A failure of a worker whose own class cannot be recreated on this side: its name, message and causes are kept.
public final class RemoteFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String originalClass;

    /// Represents an exception that could not be deserialised.
    public RemoteFailure(String originalClass, @Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        this.originalClass = originalClass;
    }

    /// The name of the exception's class where it was thrown.
    public String originalClass() {
        return originalClass;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // the class to name is the original one; the message is as it was
    public String toString() {
        return getMessage() == null ? originalClass : originalClass + ": " + getMessage();
    }
}
