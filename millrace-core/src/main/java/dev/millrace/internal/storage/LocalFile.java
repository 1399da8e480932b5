package dev.millrace.internal.storage;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file of this machine, as long as it was when it was opened. One that is shortened, replaced or written to between
/// the planning of a read and its end is an error.
final class LocalFile implements RandomFile {
    /// A ByteBuffer holds no more.
    private static final long MOST = 1 << 30;

    private final StoredFile file;
    private final Path path;
    private final FileChannel channel;
    private final LocalVersion opened;

    LocalFile(StoredFile file) throws IOException {
        this.file = file;
        this.path = LocalStorage.path(file.path());
        this.channel = FileChannel.open(path);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(channel);
            this.opened = LocalVersion.of(path);
            opened.requireSame(file);
            scope.keep();
        }
    }

    @Override
    public StoredFile file() {
        return file;
    }

    @Override
    public long size() {
        return opened.bytes();
    }

    @Override
    public int read(long position, MemorySegment target) throws IOException {
        // The kernel's own files have contents and no size.
        long end = size() == 0 ? Long.MAX_VALUE : size();
        if (position >= end && target.byteSize() > 0) {
            return -1;
        }
        long most = Math.min(Math.min(MOST, target.byteSize()), Math.max(0, end - position));
        int count = channel.read(target.asSlice(0, most).asByteBuffer(), position);
        if (count < 0 && size() > 0) {
            throw ChangedFile.error(file.path(), "was shortened from " + size() + " to at most " + position + " bytes");
        }
        return count;
    }

    @Override
    public void requireUnchanged() throws IOException {
        LocalVersion now;
        try {
            now = LocalVersion.of(path);
        } catch (IOException _) {
            // It was removed, or its folder: what was open has stayed as it was.
            return;
        }
        if (now.identity().equals(opened.identity())) {
            now.requireSame(file.path(), opened.changed(), opened.bytes());
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
