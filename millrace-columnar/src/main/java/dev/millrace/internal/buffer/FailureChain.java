package dev.millrace.internal.buffer;

import org.jspecify.annotations.Nullable;

/// Several failures as one exception: the first, with the later ones suppressed in it.
public final class FailureChain {
    private FailureChain() {}

    /// The first failure with `next` suppressed in it; `next` if it is the first. A resource may throw again what it
    /// threw before: the same object twice is one failure ([Throwable#addSuppressed] refuses it by an exception, which
    /// would replace the failure).
    @SuppressWarnings("ReferenceEquality") // only the same object is refused; equal ones are failures of their own
    public static <T extends Throwable> T add(@Nullable T first, T next) {
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }
}
