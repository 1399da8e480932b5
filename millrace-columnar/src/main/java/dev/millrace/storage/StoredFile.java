package dev.millrace.storage;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// An existing file.
///
/// @param path as the user would write it, scheme included
/// @param bytes its size; -1 if the storage does not report it before the file is opened
/// @param version that detects a change of the file; null: not checked
public record StoredFile(String path, long bytes, @Nullable String version) implements Serializable {
    /// A file without a known version.
    public StoredFile(String path, long bytes) {
        this(path, bytes, null);
    }

    /// The same file without a version, so that changes are not checked.
    public StoredFile withoutVersion() {
        return version == null ? this : new StoredFile(path, bytes);
    }

    /// The last part of the path, without the query of an address.
    public String name() {
        int scheme = path.indexOf("://");
        int end = scheme < 0 ? -1 : path.indexOf('?', scheme);
        String plain = end < 0 ? path : path.substring(0, end);
        return plain.substring(plain.lastIndexOf('/') + 1);
    }
}
