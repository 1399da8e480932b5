package dev.millrace.internal.thread;

import dev.millrace.error.MillraceException;
import java.util.Arrays;

/// Gives a failure of one thread to another: its stack there tells nothing of who asked for the work, and who asked
/// looks for a line of their own.
public final class CallerStack {
    private CallerStack() {}

    /// The failure with the stack of the calling thread, to be thrown there. Behind it stands what caused it; where
    /// nothing did, or its type says more, the failure as the other thread met it.
    public static MillraceException of(MillraceException failure) {
        boolean plain = failure.getClass() == MillraceException.class && failure.getCause() != null;
        Throwable cause = plain ? failure.getCause() : failure;
        MillraceException here = new MillraceException(failure.culprit(), failure.getMessage(), cause);
        for (Throwable suppressed : failure.getSuppressed()) {
            here.addSuppressed(suppressed);
        }
        StackTraceElement[] frames = here.getStackTrace();
        if (frames.length > 1) {
            here.setStackTrace(Arrays.copyOfRange(frames, 1, frames.length));
        }
        return here;
    }
}
