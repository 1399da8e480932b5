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

/// The bytes of an answer. One that stands still for half a minute is broken off, which Java's client does not do.
final class HttpBody implements AutoCloseable {
    private static final long STILL_SECONDS = 30;
    private static final int COPIED_AT_ONCE = 64 << 10;

    private static final class Watch {
        static final ScheduledExecutorService THREAD = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "millrace-http-watch");
            thread.setDaemon(true);
            return thread;
        });
    }

    private final InputStream in;
    private final Future<?> watching;
    private volatile long last = System.nanoTime();
    private volatile boolean still;
    private final byte[] bytes = new byte[COPIED_AT_ONCE];

    HttpBody(InputStream in) {
        this.in = in;
        this.watching =
                Watch.THREAD.scheduleWithFixedDelay(this::look, STILL_SECONDS / 3, STILL_SECONDS / 3, TimeUnit.SECONDS);
    }

    private void look() {
        if (System.nanoTime() - last > TimeUnit.SECONDS.toNanos(STILL_SECONDS)) {
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
        try {
            count = in.read(bytes, 0, (int) Math.min(bytes.length, target.byteSize()));
        } catch (IOException e) {
            throw still ? new IOException("nothing came for " + STILL_SECONDS + " s", e) : e;
        }
        if (count > 0) {
            last = System.nanoTime();
            MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, count);
        }
        return count;
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
