package dev.millrace.internal.recovery;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// A lost block could not be made again: told to whoever asked for it.
final class BlockNotMadeAgain extends MillraceException {
    private static final long serialVersionUID = 1L;

    /// @param lostWorkers while the task was run again
    BlockNotMadeAgain(Culprit culprit, String operator, int lostWorkers, Throwable cause) {
        super(
                culprit,
                "A block of " + operator + " was lost with its node, and could not be made again: "
                        + (lostWorkers > 0
                                ? lostWorkers + " workers were lost while they ran its task; the last one: "
                                : "")
                        + (cause instanceof MillraceException ? cause.getMessage() : cause.toString()),
                cause);
    }
}
