package dev.millrace.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The requests that wait for memory of an account, and the listeners that are notified of them. In the tree of
/// accounts, that of a run knows its consumer. Thread-safe.
final class MemoryWaits {
    private final @Nullable MemoryWaits above;
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    /// Of a run: whether its consumer waits, and the listener that is notified when one of its tasks begins to wait for
    /// memory.
    private volatile @Nullable BooleanSupplier wanted;

    private volatile @Nullable Runnable onWait;

    /// @param above null for the root
    MemoryWaits(@Nullable MemoryWaits above) {
        this.above = above;
    }

    void serve(BooleanSupplier consumerWaits, Runnable told) {
        wanted = consumerWaits;
        onWait = told;
    }

    /// Whether a consumer waits for the output of the nearest run; true outside runs.
    boolean isWanted() {
        for (MemoryWaits a = this; a != null; a = a.above) {
            if (a.wanted != null) {
                return a.wanted.getAsBoolean();
            }
        }
        return true;
    }

    void begin(long wantedBytes) {
        threads.incrementAndGet();
        bytes.addAndGet(wantedBytes);
        notifyUpwards();
    }

    void end(long wantedBytes) {
        bytes.addAndGet(-wantedBytes);
        threads.decrementAndGet();
        // Notified each time: a run that believed its task to be waiting has to know that it moves.
        notifyUpwards();
    }

    void notifyUpwards() {
        for (MemoryWaits a = this; a != null; a = a.above) {
            a.tell();
        }
    }

    void tell() {
        if (onWait != null) {
            onWait.run();
        }
    }

    int threads() {
        return threads.get();
    }

    /// The bytes that they request, together.
    long bytes() {
        return bytes.get();
    }
}
