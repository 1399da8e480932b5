package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import org.jspecify.annotations.Nullable;

/// A memory request that cannot be granted, now or ever. Code that can work with less memory may try again with less.
public final class MemoryRefused extends MillraceException {
    private static final long serialVersionUID = 1L;

    /// True if `failure` or one of its causes is a refusal.
    public static boolean isIn(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof MemoryRefused) {
                return true;
            }
        }
        return false;
    }

    /// A refusal of memory that is not counted here, e.g. a model's own: a batch whose function throws it is retried in
    /// halves.
    public static MemoryRefused elsewhere(String message, @Nullable Throwable cause) {
        return new MemoryRefused(message, cause);
    }

    /// A target block is at most this fraction of the limit: a larger request is too large by itself, not because of
    /// what others hold.
    private static final int MAX_BLOCKS = 8;

    private final boolean tooLarge;

    /// @param bytes the size of the request
    /// @param limit of the session
    MemoryRefused(String message, long bytes, long limit) {
        super(Culprit.RESOURCES, message, null);
        this.tooLarge = bytes > limit / MAX_BLOCKS;
    }

    private MemoryRefused(String message, @Nullable Throwable cause) {
        super(Culprit.RESOURCES, message, cause);
        this.tooLarge = false;
    }

    /// Whether a single value larger than any target block was requested: then its size is the cause, as with damaged
    /// data. Otherwise the cause is the memory that others hold.
    public boolean isTooLarge() {
        return tooLarge;
    }
}
