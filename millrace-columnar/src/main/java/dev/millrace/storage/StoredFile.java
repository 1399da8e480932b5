package dev.millrace.storage;

import java.io.Serializable;

/// A file that is there.
///
/// @param path as the user would write it, scheme included
/// @param bytes its size; -1 where the storage does not tell before the file is opened
/// @param version by which its storage tells whether the file has changed since; null: nobody asks
public record StoredFile(String path, long bytes, String version) implements Serializable {
    /// A file whose version nobody knows.
    public StoredFile(String path, long bytes) {
        this(path, bytes, null);
    }

    /// The same file, whichever version of it.
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
