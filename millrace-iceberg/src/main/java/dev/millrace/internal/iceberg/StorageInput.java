package dev.millrace.internal.iceberg;

import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/// A file that the library reads (metadata: manifests and manifest lists).
///
/// @param location as recorded in the table
/// @param known its length; -1 if unknown
public record StorageInput(String location, long known) implements InputFile {
    private Optional<StoredFile> find() {
        try {
            String path = StoragePaths.of(location);
            return StorageRegistry.of(path).find(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private StoredFile require() {
        return find().orElseThrow(() -> new NotFoundException("File does not exist: %s", location));
    }

    @Override
    public long getLength() {
        return known >= 0 ? known : require().bytes();
    }

    @Override
    public boolean exists() {
        return find().isPresent();
    }

    @Override
    public SeekableInputStream newStream() {
        Allocator scratch = Allocator.collected("metadata of " + location);
        return new Stream(StorageRegistry.open(require(), scratch), scratch.allocate(Stream.AHEAD));
    }

    /// Reads ahead into a buffer, because the library reads few bytes at a time.
    private static final class Stream extends SeekableInputStream {
        static final int AHEAD = 64 << 10;

        private final RandomFile file;
        private final Buffer buffer;
        private final MemorySegment ahead;
        private long position;
        private long aheadFrom;
        private int aheadBytes;
        private boolean closed;

        Stream(RandomFile file, Buffer buffer) {
            this.file = file;
            this.buffer = buffer;
            this.ahead = buffer.segment();
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void seek(long to) throws IOException {
            if (to < 0 || to > file.size()) {
                throw new EOFException("Cannot seek to " + to + " in a file of " + file.size() + " bytes");
            }
            position = to;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int from, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            if (position < aheadFrom || position >= aheadFrom + aheadBytes) {
                if (position >= file.size()) {
                    return -1;
                }
                aheadBytes = Math.max(0, file.read(position, ahead));
                aheadFrom = position;
                if (aheadBytes == 0) {
                    return -1;
                }
            }
            int n = (int) Math.min(count, aheadFrom + aheadBytes - position);
            MemorySegment.copy(ahead, position - aheadFrom, MemorySegment.ofArray(target), from, n);
            position += n;
            return n;
        }

        @Override
        public int available() {
            return Math.clamp(file.size() - position, 0, Integer.MAX_VALUE);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                try (file) {
                    buffer.release();
                }
            }
        }
    }
}
