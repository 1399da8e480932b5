package dev.millrace.internal.arrow;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// The errors for bytes that violate the Arrow format.
final class ArrowErrors {
    private ArrowErrors() {}

    static MillraceException at(String where, String what) {
        return MillraceException.data(where + " is corrupt: " + what + ".");
    }

    static MillraceException at(String where, String what, Throwable cause) {
        return new MillraceException(Culprit.DATA, where + " is corrupt: " + what + " (" + cause + ").", cause);
    }

    static MillraceException truncated(IpcInput source, long wanted, long there) {
        return MillraceException.data(source.name() + " is cut short: " + wanted + " bytes should follow at byte "
                + source.position() + ", " + Math.max(0, there) + " are there. Write it again.");
    }
}
