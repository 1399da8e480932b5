package dev.millrace.internal.storage;

import dev.millrace.memory.Buffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Some bytes of a file that are there, or on their way. Its file, its fetch and everybody who copies from it hold one
/// reference each to the buffer. The bytes and `failure` are published by `done`; `touched` is guarded by the file's
/// lock.
final class FetchedPart {
    final long from;
    final long to;
    /// Somebody has read of it.
    boolean touched;

    private final Buffer buffer;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Thread fetcher;
    private @Nullable IOException failure;

    /// @param buffer taken over
    FetchedPart(long from, long to, Buffer buffer) {
        this.from = from;
        this.to = to;
        this.buffer = buffer;
    }

    long bytes() {
        return to - from;
    }

    boolean holds(long position) {
        return position >= from && position < to;
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    boolean hasFailed() {
        return isDone() && failure != null;
    }

    /// @param ended runs on the fetching thread at the end
    void start(RangedFile.Fetcher source, String name, Runnable ended) {
        buffer.retain();
        fetcher = Thread.ofVirtual().name("fetch " + name).start(() -> {
            try {
                source.fetch(from, buffer.segment());
            } catch (IOException e) {
                failure = e;
            } catch (RuntimeException | Error e) {
                failure = new IOException("bytes " + from + " to " + to + " could not be fetched: " + e, e);
            } finally {
                buffer.release();
                ended.run();
                done.countDown();
            }
        });
    }

    void retain() {
        buffer.retain();
    }

    void release() {
        buffer.release();
    }

    /// Copies what it has from `position` on, as soon as it is there.
    int copy(long position, MemorySegment target) throws IOException {
        try {
            done.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
        if (failure != null) {
            // Several threads may wait for the same part; each throws an exception of its own.
            throw new IOException(failure.getMessage(), failure);
        }
        int count = (int) Math.min(target.byteSize(), to - position);
        MemorySegment.copy(buffer.segment(), position - from, target, 0, count);
        return count;
    }

    /// Asks the fetch to end.
    void interrupt() {
        if (!isDone()) {
            Objects.requireNonNull(fetcher, "a part is started where it is made")
                    .interrupt();
        }
    }

    /// Waits until the fetch has let go of the memory.
    void awaitEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
