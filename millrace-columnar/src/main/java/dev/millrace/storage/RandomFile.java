package dev.millrace.storage;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// An open file, read by position. Thread-safe.
public interface RandomFile extends Closeable {
    /// Which file this is.
    StoredFile file();

    /// Its size in bytes when it was opened.
    long size();

    /// Reads into `target` from `position` on: at least one byte unless the target is empty, as many as are available
    /// at once.
    ///
    /// @param target native memory
    /// @return the number of bytes; -1 at the end of the file
    int read(long position, MemorySegment target) throws IOException;

    /// Announces that these ranges will be read soon, in this order: a remote storage may merge and prefetch them. A
    /// hint; ranges that are never read cost no more than their bytes.
    default void willRead(List<Range> ranges) {}

    /// Called when a reader is done.
    ///
    /// @throws LastingIOException if the bytes that were read may have changed since the file was opened
    default void requireUnchanged() throws IOException {}

    /// A contiguous range of bytes of a file.
    ///
    /// @param from the first byte
    /// @param to the end, exclusive
    record Range(long from, long to) {}

    /// Fills `target`.
    ///
    /// @throws java.io.EOFException if the file ends before
    default void readFully(long position, MemorySegment target) throws IOException {
        long done = 0;
        while (done < target.byteSize()) {
            int count = read(position + done, target.asSlice(done));
            if (count < 0) {
                throw new java.io.EOFException("'" + file().path() + "' ends at byte " + (position + done)
                        + ", and bytes up to " + (position + target.byteSize()) + " were to be read");
            }
            done += count;
        }
    }
}
