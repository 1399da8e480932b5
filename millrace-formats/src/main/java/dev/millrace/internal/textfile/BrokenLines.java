package dev.millrace.internal.textfile;

import dev.millrace.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Queue;

/// Errors of a reader that knows how to go on behind them. The good rows before the first are handed on, then it is
/// thrown. Once whoever reads has gone on behind it, those that follow are gathered while a block is filled, so that
/// the good rows among them come together. One thread.
public final class BrokenLines {
    /// A block is handed on when so many are gathered, whatever it has.
    private static final int MOST = 256;

    private final Queue<MillraceException> found = new ArrayDeque<>();
    private boolean gathers;

    /// @return whether the block at hand is to be filled on
    public boolean found(MillraceException error) {
        found.add(error);
        return gathers && found.size() < MOST;
    }

    /// The read goes on behind the first.
    public void gather() {
        gathers = true;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /// Throws the first that was not thrown yet, if there is one.
    public void throwNext() {
        MillraceException error = found.poll();
        if (error != null) {
            throw error;
        }
    }
}
