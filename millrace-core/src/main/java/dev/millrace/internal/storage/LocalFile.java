package dev.millrace.internal.storage;

import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// A file of this machine.
final class LocalFile implements RandomFile {
    /// A ByteBuffer holds no more.
    private static final long MOST = 1 << 30;

    private final StoredFile file;
    private final FileChannel channel;
    private final long size;

    LocalFile(StoredFile file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(LocalStorage.path(file.path()));
        this.size = channel.size();
    }

    @Override
    public StoredFile file() {
        return file;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public int read(long position, MemorySegment target) throws IOException {
        return channel.read(target.asSlice(0, Math.min(MOST, target.byteSize())).asByteBuffer(), position);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
