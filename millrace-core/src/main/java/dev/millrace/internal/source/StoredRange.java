package dev.millrace.internal.source;

import dev.millrace.internal.storage.Storages;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A range of a stored file; opens it when it is first needed. One thread.
final class StoredRange implements FileRange, AutoCloseable {
    private static final long FIRST_BYTES = 1 << 20;

    private final StoredFile stored;
    private final long from;
    private final long to;
    private final Allocator allocator;
    private RandomFile open;

    /// @param to Long.MAX_VALUE: to the end
    /// @param allocator for bytes that are fetched ahead
    StoredRange(StoredFile stored, long from, long to, Allocator allocator) {
        this.stored = stored;
        this.allocator = allocator;
        this.from = from;
        this.to = to;
    }

    @Override
    public String path() {
        return stored.path();
    }

    @Override
    public long from() {
        return from;
    }

    @Override
    public long to() {
        return to;
    }

    @Override
    public boolean isCompressed() {
        return false;
    }

    @Override
    public RandomFile file() throws IOException {
        if (open == null) {
            open = Storages.of(stored.path()).open(stored, allocator);
        }
        return open;
    }

    @Override
    public ByteFeed bytes(long position) throws IOException {
        RandomFile file = file();
        file.willRead(List.of(new RandomFile.Range(position, Math.min(to, file.size()))));
        return new FileFeed(file, position);
    }

    @Override
    public Buffer readAll(Allocator allocator, int padding) throws IOException {
        RandomFile file = file();
        file.willRead(List.of(new RandomFile.Range(0, file.size())));
        Buffer whole = allocator.allocate(file.size() + padding);
        try {
            file.readFully(0, whole.segment().asSlice(0, file.size()));
            return whole;
        } catch (IOException | RuntimeException e) {
            whole.release();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }

    /// A file from a position to its end.
    private static final class FileFeed implements ByteFeed {
        private final RandomFile file;
        private long position;

        FileFeed(RandomFile file, long position) {
            this.file = file;
            this.position = position;
        }

        @Override
        public int read(MemorySegment target) throws IOException {
            int count = file.read(position, target);
            position += Math.max(0, count);
            return count;
        }

        @Override
        public void close() {}
    }
}
