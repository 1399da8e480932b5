package dev.millrace.internal.storage;

import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/// What tells one version of a file of this machine from another. A file that only grows stays the same: what is
/// appended behind the bytes that a read began with does not change them.
///
/// @param identity of the file, whatever its name is; "" where the system has none
/// @param changed when its contents were last changed, in nanoseconds
record LocalVersion(String identity, long changed, long bytes) {
    static LocalVersion of(Path path) throws IOException {
        BasicFileAttributes is = Files.readAttributes(path, BasicFileAttributes.class);
        String identity = is.fileKey() == null ? "" : is.fileKey().toString();
        return new LocalVersion(identity, is.lastModifiedTime().to(TimeUnit.NANOSECONDS), is.size());
    }

    /// The file with its version, so that [#requireSame] can be asked later, perhaps in another process.
    StoredFile mark(String path) {
        return new StoredFile(path, bytes, changed + " " + identity);
    }

    /// @param planned made by [#mark]; what has no version is not looked at
    /// @throws LastingIOException if this is another file than the one planned with, or has other contents
    void requireSame(StoredFile planned) throws LastingIOException {
        if (planned.version() == null) {
            return;
        }
        int space = planned.version().indexOf(' ');
        long before = Long.parseLong(planned.version().substring(0, space));
        if (!planned.version().substring(space + 1).equals(identity)) {
            throw ChangedFile.replaced(planned.path(), null);
        }
        requireSame(planned.path(), before, planned.bytes());
    }

    /// @param path for errors
    /// @param before when the contents had been changed last
    /// @param size that the file had then
    void requireSame(String path, long before, long size) throws LastingIOException {
        if (bytes < size) {
            throw ChangedFile.error(path, "was shortened from " + size + " to " + bytes + " bytes");
        }
        if (bytes == size && changed != before) {
            throw ChangedFile.error(path, "was written to");
        }
    }
}
