package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// A consumer asked for a block of a run that was closed, or was waiting for one when that happened.
public final class RunClosed extends MillraceException {
    private static final long serialVersionUID = 1L;

    RunClosed() {
        super(Culprit.USER, "The run was closed: its output can no longer be read.");
    }
}
