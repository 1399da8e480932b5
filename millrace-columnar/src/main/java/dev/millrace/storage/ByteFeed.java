package dev.millrace.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A sequential source of bytes: a part of a file, or the decompressed content of one. One thread.
public interface ByteFeed extends AutoCloseable {
    /// Reads at least one byte unless `target` is empty, and as many as are available at once.
    ///
    /// @param target native memory
    /// @return the number of bytes; -1 at the end
    int read(MemorySegment target) throws IOException;

    @Override
    void close() throws IOException;
}
