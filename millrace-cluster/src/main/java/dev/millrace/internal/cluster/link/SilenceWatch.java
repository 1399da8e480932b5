package dev.millrace.internal.cluster.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads from a link whose other side must say something every few seconds. A network that drops packets closes no
/// connection: a read would wait for ever, so a link that is silent for too long is closed here. One thread reads.
final class SilenceWatch implements Heartbeat.Ticking, AutoCloseable {
    private final Link link;
    private volatile long heard = System.nanoTime();
    private volatile boolean silent;

    SilenceWatch(Link link) {
        this.link = link;
        Heartbeat.add(this);
    }

    /// As [java.nio.channels.ReadableByteChannel#read].
    int read(ByteBuffer target) throws IOException {
        int count;
        try {
            count = link.in().read(target);
        } catch (IOException e) {
            throw silent ? new IOException("it was silent for 5 s", e) : e;
        }
        heard = System.nanoTime();
        return count;
    }

    /// Fills the buffer, and flips it.
    void readFully(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (read(target) < 0) {
                throw new EOFException("the connection was closed");
            }
        }
        target.flip();
    }

    @Override
    public void tick(long now, boolean late) {
        if (late) {
            heard = now;
        } else if (now - heard > Heartbeat.SILENCE_NANOS && !silent) {
            silent = true;
            link.closeSoon();
        }
    }

    @Override
    public void close() {
        Heartbeat.remove(this);
    }
}
