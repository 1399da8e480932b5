package dev.millrace.internal.csv;

import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads a part of a file from a position on, without reading it to the end.
final class FilePeek implements ByteFeed {
    private final RandomFile file;
    private long position;

    private FilePeek(RandomFile file, long position) {
        this.file = file;
        this.position = position;
    }

    static ByteFeed at(FileRange range, long position) throws IOException {
        return range.isCompressed() ? range.bytes(position) : new FilePeek(range.file(), position);
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        int count = file.read(position, target);
        position += Math.max(0, count);
        return count;
    }

    /// The file is closed with its range.
    @Override
    public void close() {}
}
