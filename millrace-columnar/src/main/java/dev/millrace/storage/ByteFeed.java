package dev.millrace.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Bytes one after the other: a part of a file, or what a compressed file holds. One thread.
public interface ByteFeed extends AutoCloseable {
    /// Reads at least one byte unless `target` is empty, as many as come at once.
    ///
    /// @param target native memory
    /// @return how many; -1 at the end
    int read(MemorySegment target) throws IOException;

    @Override
    void close() throws IOException;
}
