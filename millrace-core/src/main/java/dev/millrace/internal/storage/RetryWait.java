package dev.millrace.internal.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.ThreadLocalRandom;

/// How often, and after what wait, a transfer that fails is tried again: up to six times in a row, after 0.1 s, 0.2 s
/// and so on, somewhat more or less so that not all come back at once. One thread.
public final class RetryWait {
    private static final int MAX_IN_A_ROW = 6;
    private static final long FIRST_MILLIS = 100;

    private int inARow;

    /// Waits before the next try.
    ///
    /// @param advanced it got further than the last time: then it may fail often
    /// @throws IOException the failure, when it is enough; ClosedByInterruptException when this thread is interrupted
    public void afterFailure(boolean advanced, IOException failure) throws IOException {
        afterFailure(advanced, failure, 0);
    }

    /// @param least milliseconds that the other side asks to wait
    void afterFailure(boolean advanced, IOException failure, long least) throws IOException {
        inARow = advanced ? 1 : inARow + 1;
        if (inARow > MAX_IN_A_ROW) {
            throw failure;
        }
        long half = FIRST_MILLIS << (inARow - 1) >> 1;
        long millis = Math.max(least, half + ThreadLocalRandom.current().nextLong(2 * half));
        try {
            if (Thread.currentThread().isInterrupted()) {
                throw new ClosedByInterruptException();
            }
            Thread.sleep(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }
}
