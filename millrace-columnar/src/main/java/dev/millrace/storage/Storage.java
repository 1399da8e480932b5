package dev.millrace.storage;

import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// The files of one or more schemes of paths. Thread-safe, without state of a session; a module that holds one names it
/// in `META-INF/services/dev.millrace.storage.Storage`. Paths come and go as the user wrote them, scheme included.
///
/// An IOException that may pass (a timeout, a busy server) is tried again by the caller, as the session's fault settings
/// say.
public interface Storage {
    /// In lower case, without "://": "s3".
    List<String> schemes();

    /// The file at a path, or empty if there is none there (a folder is none).
    Optional<StoredFile> find(String path) throws IOException;

    /// True if there is something below.
    boolean isFolder(String path) throws IOException;

    /// The files below a folder, to the bottom, folder by folder, each in the order of its names, listed as they are
    /// asked for. Names of files and folders that begin with `.` or `_` are left out.
    ///
    /// @throws java.io.UncheckedIOException from the iterator
    Iterator<StoredFile> walk(String folder) throws IOException;

    /// Names of what lies in a folder, at most so many, sorted: for errors that say what is there.
    List<String> names(String folder, int most) throws IOException;

    /// The file as it is now, with the version that a read plans with: who opens it later, in whichever task, gets an
    /// error if it was shortened, replaced or written to since, and so never parts of two versions. The same file where
    /// it has a version already, or the storage knows none.
    default StoredFile current(StoredFile file) {
        return file;
    }

    /// Opens a file that [#find], [#walk] or [#current] gave, perhaps in another process. All bytes that are read are
    /// of the file's version, or, where it has none, of the version that the first of them are of.
    ///
    /// @param allocator the account for bytes that are fetched ahead; they are taken by the threads that read, and
    /// given
    ///     back at the latest when the file is closed
    RandomFile open(StoredFile file, Allocator allocator) throws IOException;

    /// Reads the whole file at a path, with as few requests as there must be. What may pass is tried again here.
    ///
    /// @param room asked for memory, on the calling thread, once the size is known; perhaps again, after a failure
    /// @throws LastingIOException if there is no such file
    default void readWhole(String path, Room room) throws IOException {
        StoredFile file =
                find(path).orElseThrow(() -> new LastingIOException("there is no file '" + path + "'.", null));
        try (RandomFile open = open(file, Allocator.collected(path))) {
            open.readFully(0, room.of(open.size()));
        }
    }

    /// Memory for a file.
    interface Room {
        /// Memory for the whole file, once its size is known.
        MemorySegment of(long bytes) throws IOException;

        /// Of a file whose size is not known before its end: memory of so many bytes that begins with the first `used`
        /// of what was given before; fewer than those only at the end, when the size is known.
        default MemorySegment grow(MemorySegment before, long used, long bytes) throws IOException {
            MemorySegment grown = of(bytes);
            MemorySegment.copy(before, 0, grown, 0, used);
            return grown;
        }
    }
}
