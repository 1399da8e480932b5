package dev.millrace.internal.storage;

import dev.millrace.storage.LastingIOException;
import org.jspecify.annotations.Nullable;

/// The one sentence about a file that is another one, or has other contents, than the one that a read began with,
/// wherever it lies.
public final class ChangedFile {
    private ChangedFile() {}

    /// @param what "was shortened from 5 to 3 bytes"
    public static LastingIOException error(String path, String what) {
        return error(path, what, null);
    }

    /// Of a file far away, of which only its version is known.
    public static LastingIOException replaced(String path, @Nullable Throwable cause) {
        return error(path, "was replaced by another file", cause);
    }

    private static LastingIOException error(String path, String what, @Nullable Throwable cause) {
        return new LastingIOException(
                "'" + path + "' " + what + " while it was read. Read it again when it is whole, or read a copy.",
                cause);
    }
}
