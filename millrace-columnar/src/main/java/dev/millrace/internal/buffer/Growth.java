package dev.millrace.internal.buffer;

import java.util.function.LongFunction;

/// How a [GrowingBuffer] grows: to twice its size, or to the required size if that is larger.
///
/// @param firstBytes its minimum size once it has any
/// @param slackBytes the number of undefined bytes after its content, for code that reads or writes whole words at its
///     end
/// @param maxBytes the maximum size
/// @param tooLarge creates the error if more is needed, from the number of bytes
/// @param zeroed whether new memory is zero, not undefined
public record Growth(
        long firstBytes, int slackBytes, long maxBytes, LongFunction<RuntimeException> tooLarge, boolean zeroed) {
    /// No limit and no slack; new memory is undefined.
    public static Growth from(long firstBytes) {
        return new Growth(firstBytes, 0, Long.MAX_VALUE, Growth::never, false);
    }

    public Growth withSlack(int bytes) {
        return new Growth(firstBytes, bytes, maxBytes, tooLarge, zeroed);
    }

    public Growth upTo(long bytes, LongFunction<RuntimeException> error) {
        return new Growth(firstBytes, slackBytes, bytes, error, zeroed);
    }

    public Growth withZeros() {
        return new Growth(firstBytes, slackBytes, maxBytes, tooLarge, true);
    }

    /// The new capacity if the current one is `capacity` and `needed` bytes are needed.
    long next(long capacity, long needed) {
        return Math.min(maxBytes, Math.max(Math.max(firstBytes, exactly(needed)), 2 * capacity));
    }

    /// The needed capacity, if it is within the limit.
    long exactly(long needed) {
        if (needed > maxBytes || needed < 0) {
            throw tooLarge.apply(needed);
        }
        return needed;
    }

    private static RuntimeException never(long needed) {
        return new IllegalArgumentException("a buffer of " + needed + " bytes");
    }
}
