package dev.millrace.internal.storage;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A file whose server gives it only from its begin: it is copied into a temporary file as far as it is read, and read
/// from there. Thread-safe.
final class HttpStreamFile implements RandomFile {
    private static final int STEP = 1 << 20;
    /// What the copy leaves on its disk, and after how many bytes it looks.
    private static final long MIN_FREE_BYTES = 256 << 20;

    private static final long LOOK_BYTES = 64 << 20;

    /// How many bytes a disk has left.
    interface FreeBytes {
        long now() throws IOException;
    }

    private final StoredFile file;
    /// All answers are of it.
    private final HttpVersion version;

    private final ReentrantLock lock = new ReentrantLock();
    /// All below are guarded by the lock.
    private final FileChannel copy;

    private final FreeBytes free;
    private long lookAt = LOOK_BYTES;

    private long copied;
    /// -1: not known before the end.
    private long size;

    private boolean complete;
    /// The answer that is being read.
    private @Nullable HttpBody source;

    HttpStreamFile(StoredFile file, HttpVersion version) throws IOException {
        this(file, version, Files.createTempFile("millrace-", ".download"));
    }

    private HttpStreamFile(StoredFile file, HttpVersion version, Path place) throws IOException {
        this(file, version, place, () -> Files.getFileStore(place).getUsableSpace());
    }

    /// @param version that the file's opening found
    /// @param place where the copy lies, a file that is there; deleted with the close
    HttpStreamFile(StoredFile file, HttpVersion version, Path place, FreeBytes free) throws IOException {
        this.file = file;
        this.version = version;
        this.size = version.bytes();
        this.free = free;
        this.copy = FileChannel.open(
                place, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        if (version.bytes() < 0) {
            try (ResourceScope scope = new ResourceScope()) {
                scope.add(this);
                copyTo(Long.MAX_VALUE);
                scope.keep();
            }
        }
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
        lock.lock();
        try {
            if (!complete && position + target.byteSize() > copied) {
                copyTo(position + target.byteSize());
            }
        } finally {
            lock.unlock();
        }
        return copy.read(target.asSlice(0, Math.min(target.byteSize(), 1 << 30)).asByteBuffer(), position);
    }

    /// Goes on until so many bytes are there, or all. After a failure the server is asked anew, from the begin.
    private void copyTo(long bytes) throws IOException {
        RetryWait wait = new RetryWait();
        while (!complete && copied < bytes) {
            long before = copied;
            try {
                HttpBody body = source;
                if (body == null) {
                    body = begin();
                    source = body;
                }
                goOn(body, bytes);
            } catch (LastingIOException e) {
                throw e;
            } catch (IOException e) {
                end();
                wait.afterFailure(
                        copied - before >= HttpBody.MIN_BYTES,
                        new IOException("'" + file.path() + "' broke off: " + e, e));
            }
        }
    }

    private HttpBody begin() throws IOException {
        try (ResourceScope scope = new ResourceScope();
                Arena arena = Arena.ofConfined()) {
            HttpBody body = scope.add(HttpCalls.stream(
                    file.path(), answer -> HttpVersion.of(answer).requireSame(version, file.path())));
            MemorySegment skipped = arena.allocate(STEP);
            for (long left = copied; left > 0; ) {
                int count = body.read(skipped.asSlice(0, Math.min(left, STEP)));
                if (count < 0) {
                    throw new IOException("it ended earlier than before");
                }
                left -= count;
            }
            return scope.keep(body);
        }
    }

    private void goOn(HttpBody body, long bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment some = arena.allocate(STEP);
            while (copied < bytes) {
                int count = body.read(some);
                if (count < 0) {
                    if (size >= 0 && copied < size) {
                        throw new IOException("the answer ended after " + copied + " of " + size + " bytes");
                    }
                    size = copied;
                    complete = true;
                    end();
                    return;
                }
                ByteBuffer buffer = some.asSlice(0, count).asByteBuffer();
                while (buffer.hasRemaining()) {
                    copied += copy.write(buffer, copied);
                }
                requireSpace();
            }
        }
    }

    /// An answer without end must not fill the disk.
    private void requireSpace() throws IOException {
        if (copied >= lookAt) {
            lookAt = copied + LOOK_BYTES;
            long left = free.now();
            if (left < MIN_FREE_BYTES) {
                throw new LastingIOException(
                        SecretText.hide(
                                "'" + file.path() + "' is given by its server from its begin only, so it is copied"
                                        + " to the folder for temporary files: after " + copied + " bytes " + left
                                        + " are left there. Name another folder with -Djava.io.tmpdir, or get the file first."),
                        null);
            }
        }
    }

    private void end() throws IOException {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try (copy) {
            end();
        } finally {
            lock.unlock();
        }
    }
}
