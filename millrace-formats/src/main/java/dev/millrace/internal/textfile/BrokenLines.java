package dev.millrace.internal.textfile;

import dev.millrace.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Queue;

/// Errors of a reader that can continue after them. The good rows before the first error are returned, then it is
/// thrown. Once the reader has continued past it, further errors are collected while a block is filled, so that the
/// good rows among them come together. One thread.
public final class BrokenLines {
    /// A block is returned when this many errors are collected, however small it is.
    private static final int MOST = 256;

    private final Queue<MillraceException> found = new ArrayDeque<>();
    private boolean gathers;

    /// @return whether to continue filling the current block
    public boolean found(MillraceException error) {
        found.add(error);
        return gathers && found.size() < MOST;
    }

    /// The read continues past the first error.
    public void gather() {
        gathers = true;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /// Throws the next error that was not thrown yet, if there is one.
    public void throwNext() {
        MillraceException error = found.poll();
        if (error != null) {
            throw error;
        }
    }
}
