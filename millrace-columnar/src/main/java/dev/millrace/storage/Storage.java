package dev.millrace.storage;

import dev.millrace.memory.Allocator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// The files of one or more path schemes. Thread-safe, without state of a session; a module that contains one names it
/// in `META-INF/services/dev.millrace.storage.Storage`. Paths are passed as the user wrote them, scheme included.
///
/// The caller retries a transient IOException (a timeout, a busy server), according to the session's fault settings.
public interface Storage {
    /// The schemes in lower case, without "://": "s3".
    List<String> schemes();

    /// The file at a path, or empty if there is none (a folder is not a file).
    Optional<StoredFile> find(String path) throws IOException;

    /// True if there are files below the path.
    boolean isFolder(String path) throws IOException;

    /// The files below a folder, recursively, folder by folder, each in the order of its names, listed lazily. Names of
    /// files and folders that begin with `.` or `_` are skipped.
    ///
    /// @throws java.io.UncheckedIOException from the iterator
    Iterator<StoredFile> walk(String folder) throws IOException;

    /// Names in a folder, at most this many, sorted: for errors.
    List<String> names(String folder, int most) throws IOException;

    /// The file as it is now, with the version that a read plans with: opening it later, in any task, fails if it was
    /// shortened, replaced or written to since, so a read never mixes two versions. Returns the same file if it has a
    /// version already, or the storage has none.
    default StoredFile current(StoredFile file) {
        return file;
    }

    /// Opens a file that [#find], [#walk] or [#current] returned, perhaps in another process. All bytes that are read
    /// are of the file's version, or, if it has none, of the version of the first of them.
    ///
    /// @param allocator the account for prefetched bytes; reading threads allocate them, and they are released at the
    ///     latest when the file is closed
    RandomFile open(StoredFile file, Allocator allocator) throws IOException;

    /// Reads the whole file at a path, with as few requests as possible. Transient errors are retried here.
    ///
    /// @param room allocates memory, on the calling thread, once the size is known; perhaps again, after a failure
    /// @throws LastingIOException if there is no such file
    default void readWhole(String path, Room room) throws IOException {
        StoredFile file =
                find(path).orElseThrow(() -> new LastingIOException("there is no file '" + path + "'.", null));
        try (RandomFile open = open(file, Allocator.collected(path))) {
            open.readFully(0, room.of(open.size()));
        }
    }

    /// Provides memory for a file.
    interface Room {
        /// Memory for the whole file, once its size is known.
        MemorySegment of(long bytes) throws IOException;

        /// For a file whose size is not known before its end: memory of this many bytes that begins with the first
        /// `used` bytes of the previous memory; smaller than those only at the end, when the size is known.
        default MemorySegment grow(MemorySegment before, long used, long bytes) throws IOException {
            MemorySegment grown = of(bytes);
            MemorySegment.copy(before, 0, grown, 0, used);
            return grown;
        }
    }
}
