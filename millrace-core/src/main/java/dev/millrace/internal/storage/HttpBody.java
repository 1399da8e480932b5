package dev.millrace.internal.storage;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// The bytes of an answer. One that stands still for half a minute while it is waited for is broken off, which Java's
/// client does not do, and so is one that trickles: of which less than [#MIN_BYTES] come in a minute of waiting.
final class HttpBody implements AutoCloseable {
    /// What an answer must bring to be counted as going on.
    static final int MIN_BYTES = 4 << 10;

    private static final long STILL_SECONDS = 30;
    private static final long TRICKLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int COPIED_AT_ONCE = 64 << 10;

    private static final class StallTimer {
        static final ScheduledExecutorService THREAD = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "millrace-http-watch");
            thread.setDaemon(true);
            return thread;
        });
    }

    private final InputStream in;
    private final Future<?> watching;
    /// Since when a reader waits for bytes; 0: none does.
    private volatile long waitingSince;

    private volatile boolean still;
    private final long trickleNanos;
    /// What came in how much of waiting, since the last time that it was enough.
    private long trickled;

    private long waited;
    private final byte[] bytes = new byte[COPIED_AT_ONCE];

    HttpBody(InputStream in) {
        this(in, TRICKLE_NANOS);
    }

    /// @param trickleNanos how much waiting an answer may take for [#MIN_BYTES]
    HttpBody(InputStream in, long trickleNanos) {
        this.in = in;
        this.trickleNanos = trickleNanos;
        this.watching = StallTimer.THREAD.scheduleWithFixedDelay(
                this::look, STILL_SECONDS / 3, STILL_SECONDS / 3, TimeUnit.SECONDS);
    }

    private void look() {
        long since = waitingSince;
        if (since != 0 && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(STILL_SECONDS)) {
            still = true;
            try {
                in.close();
            } catch (IOException _) {
                // Whoever reads is told.
            }
        }
    }

    /// @return how many; -1 at the end
    int read(MemorySegment target) throws IOException {
        int count;
        long began = System.nanoTime();
        waitingSince = began == 0 ? 1 : began;
        try {
            count = in.read(bytes, 0, (int) Math.min(bytes.length, target.byteSize()));
        } catch (IOException e) {
            throw still ? new IOException("nothing came for " + STILL_SECONDS + " s", e) : e;
        } finally {
            waitingSince = 0;
            waited += System.nanoTime() - began;
        }
        if (count > 0) {
            requireFlow(count);
            MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, count);
        }
        return count;
    }

    private void requireFlow(int count) throws IOException {
        trickled += count;
        if (trickled >= MIN_BYTES) {
            trickled = 0;
            waited = 0;
        } else if (waited > trickleNanos) {
            throw new IOException("only " + trickled + " bytes came in " + waited / 1_000_000 + " ms");
        }
    }

    /// @return the position behind the last byte that came, which is the target's end unless the answer broke off
    long fill(MemorySegment target, long from) throws IOException {
        long done = from;
        while (done < target.byteSize()) {
            int count = read(target.asSlice(done));
            if (count < 0) {
                throw new EOFException("the answer ended after " + done + " of " + target.byteSize() + " bytes");
            }
            done += count;
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        watching.cancel(false);
        in.close();
    }
}
