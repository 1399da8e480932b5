package dev.millrace.internal.thread;

import dev.millrace.error.MillraceException;
import java.util.Arrays;

/// Rethrows a failure of one thread in another: the stack trace of the worker does not show who requested the work, and
/// the caller looks for a line of their own code.
public final class CallerStack {
    private CallerStack() {}

    /// The failure with the stack trace of the calling thread, to be thrown there. Its cause is the original cause or,
    /// if there is none or its type says more, the original failure.
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
