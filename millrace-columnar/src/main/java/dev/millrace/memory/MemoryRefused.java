package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// A request for memory that cannot be met, now or ever. Whoever can do with less may try again with less.
public final class MemoryRefused extends MillraceException {
    private static final long serialVersionUID = 1L;

    /// True if `failure` or something that caused it is a refusal.
    public static boolean isIn(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof MemoryRefused) {
                return true;
            }
        }
        return false;
    }

    /// For memory that is not counted here, e.g. a model's own: a batch whose function throws it is tried again in
    /// halves.
    public static MemoryRefused elsewhere(String message, Throwable cause) {
        return new MemoryRefused(message, cause);
    }

    /// Of no block that is aimed at: a refused request above this part of the limit is too large by itself, not because
    /// of what others hold.
    private static final int MAX_BLOCKS = 8;

    private final boolean tooLarge;

    /// @param bytes that were asked for
    /// @param limit of the session
    MemoryRefused(String message, long bytes, long limit) {
        super(Culprit.RESOURCES, message, null);
        this.tooLarge = bytes > limit / MAX_BLOCKS;
    }

    private MemoryRefused(String message, Throwable cause) {
        super(Culprit.RESOURCES, message, cause);
        this.tooLarge = false;
    }

    /// Whether one value was asked for that is larger than any block aims to be: its size is to blame, as with broken
    /// data. Otherwise it is the memory that others have.
    public boolean isTooLarge() {
        return tooLarge;
    }
}
