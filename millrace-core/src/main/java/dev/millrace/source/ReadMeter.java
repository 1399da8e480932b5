package dev.millrace.source;

import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the files and bytes that a reader reads, for the stats of its run: once per file and per request, never per
/// row. Bytes may be counted by any thread, files by the reader's.
public final class ReadMeter {
    private final AtomicLong bytes = new AtomicLong();
    private long files;

    /// A file is read from its beginning. Of a file that several splits share, this is told by one of them.
    public void file() {
        files++;
    }

    /// The same file, whose bytes are counted as they are read.
    public RandomFile counted(RandomFile file) {
        return new Counted(file, bytes);
    }

    /// How many files were told.
    public long files() {
        return files;
    }

    /// How many bytes were read.
    public long bytes() {
        return bytes.get();
    }

    private record Counted(RandomFile inner, AtomicLong bytes) implements RandomFile {
        @Override
        public StoredFile file() {
            return inner.file();
        }

        @Override
        public long size() {
            return inner.size();
        }

        @Override
        public int read(long position, MemorySegment target) throws IOException {
            int count = inner.read(position, target);
            if (count > 0) {
                bytes.addAndGet(count);
            }
            return count;
        }

        @Override
        public void readFully(long position, MemorySegment target) throws IOException {
            inner.readFully(position, target);
            bytes.addAndGet(target.byteSize());
        }

        @Override
        public void willRead(List<Range> ranges) {
            inner.willRead(ranges);
        }

        @Override
        public void requireUnchanged() throws IOException {
            inner.requireUnchanged();
        }

        @Override
        public void close() throws IOException {
            inner.close();
        }
    }
}
