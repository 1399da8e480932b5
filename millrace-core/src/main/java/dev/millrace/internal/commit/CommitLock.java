package dev.millrace.internal.commit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The right to change a folder's visible content: held by one commit at a time, or by a process that completes the
/// commit of a dead one. It ends with the process, however that ends; so a process that acquires it while there is a
/// journal knows that no other is working on it.
final class CommitLock implements AutoCloseable {
    private static final String NAME = "commit-lock";
    private static final int TRIES = 10;
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Path file;

    private CommitLock(Path file) {
        this.file = file;
    }

    /// @param temporary the folder of temporaries, which must exist
    /// @return null if it is held already, also by this process
    static @Nullable CommitLock tryHold(Path temporary) throws IOException {
        Path file = temporary.resolve(NAME);
        for (int i = 0; i < TRIES; i++) {
            Object before = JobLock.keyOf(file);
            if (!JobLock.hold(file)) {
                return null;
            }
            // The holder removes the file before it releases the lock: the file that we locked may have been removed.
            if (before != null && before.equals(JobLock.keyOf(file))) {
                return new CommitLock(file);
            }
            JobLock.release(file);
        }
        return null;
    }

    /// Waits for the current holder.
    static CommitLock hold(Path temporary, Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            CommitLock lock = tryHold(temporary);
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() > end) {
                throw new IOException("another commit to '" + temporary.getParent() + "' has been going on for "
                        + limit.toSeconds() + " s");
            }
            pause();
        }
    }

    static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another commit went on");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            JobLock.release(file);
        }
    }
}
