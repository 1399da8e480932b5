package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// A consumer requested a block of a closed run, or waited for one when the run was closed.
public final class RunClosed extends MillraceException {
    private static final long serialVersionUID = 1L;

    RunClosed() {
        super(Culprit.USER, "The run was closed: its output can no longer be read.");
    }
}
