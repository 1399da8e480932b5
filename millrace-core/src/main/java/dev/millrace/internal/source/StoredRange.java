package dev.millrace.internal.source;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.compress.FileCompression;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A range of a stored file; opens it when it is first needed. One thread.
final class StoredRange implements FileRange, AutoCloseable {
    /// A growing copy begins with as many.
    private static final long FIRST_BYTES = 1 << 20;

    private final StoredFile stored;
    private final long from;
    private final long to;
    private final FileCompression compression;
    private final ReadContext context;
    private @Nullable RandomFile open;

    /// @param to Long.MAX_VALUE: to the end
    /// @param context has the memory for bytes that are fetched ahead, and for decompression
    StoredRange(StoredFile stored, long from, long to, FileCompression compression, ReadContext context) {
        this.compression = compression;
        this.stored = stored;
        this.context = context;
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
        return compression != FileCompression.NONE;
    }

    @Override
    public RandomFile file() throws IOException {
        if (open == null) {
            open = context.meter().counted(StorageRegistry.of(stored.path()).open(stored, context.allocator()));
        }
        return open;
    }

    @Override
    public ByteFeed bytes(long position) throws IOException {
        if (isCompressed() && position > 0) {
            throw new IllegalArgumentException("compressed files are read from their beginning");
        }
        RandomFile file = file();
        file.willRead(List.of(new RandomFile.Range(position, Math.min(to, file.size()))));
        return FileCompression.open(compression, path(), new FileFeed(file, position), context.allocator());
    }

    @Override
    public Buffer readAll(Allocator target, int padding) throws IOException {
        if (isCompressed()) {
            return unpackAll(target, padding);
        }
        RandomFile file = file();
        file.willRead(List.of(new RandomFile.Range(0, file.size())));
        try (ResourceScope scope = new ResourceScope()) {
            Buffer whole = scope.add(target.allocate(file.size() + padding));
            file.readFully(0, whole.segment().asSlice(0, file.size()));
            return scope.keep(whole);
        }
    }

    private Buffer unpackAll(Allocator target, int padding) throws IOException {
        try (GrowingBuffer plain = new GrowingBuffer(target, FIRST_BYTES);
                ByteFeed feed = bytes(0)) {
            int count;
            while ((count = feed.read(plain.room(1))) >= 0) {
                plain.advance(count);
            }
            Buffer whole = target.allocate(plain.size() + padding);
            MemorySegment.copy(plain.memory(), 0, whole.segment(), 0, plain.size());
            return whole;
        }
    }

    /// Called when the reader has all that it wants.
    void requireUnchanged() throws IOException {
        if (open != null) {
            open.requireUnchanged();
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
